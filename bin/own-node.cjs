// The path of the Node that npm installed with the packages. npm installs only the package for this machine. The link
// node_modules/.bin/node cannot be relied on: npm before 11 removes it together with the packages for other machines.
const { join } = require('node:path');

const { platform, arch } = process;
const isWindows = platform === 'win32';
const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
const folder = `${prefix}-${isWindows ? 'win' : platform}-${arch}`;

module.exports = join(__dirname, '../node_modules', folder, 'bin', isWindows ? 'node.exe' : 'node');
