/** Runs a TypeScript file of this project for an npm script, the same way in every shell: `node scripts/launch.cjs FILE`. */
require('./check-node.cjs');
const { resolve } = require('node:path');
const runOnOwnNode = require('../bin/on-own-node.cjs');

const [script = '', ...args] = process.argv.slice(2);
runOnOwnNode(resolve(script), args);
