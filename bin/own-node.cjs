// The Node that comes with the packages. One of them fits this machine; npm has left out the others. Their own link,
// node_modules/.bin/node, is no way to find it: npm before 11 removes it again, with those that do not fit.
const { join } = require('node:path');

const { platform, arch } = process;
const isWindows = platform === 'win32';
const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
const folder = `${prefix}-${isWindows ? 'win' : platform}-${arch}`;

module.exports = join(__dirname, '../node_modules', folder, 'bin', isWindows ? 'node.exe' : 'node');
