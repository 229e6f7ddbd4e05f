/** `node scripts/launch.cjs FILE`: runs a TypeScript file for an npm script, the same way in every shell. */
require('./check-node.cjs');
const { resolve } = require('node:path');
const runOnOwnNode = require('../bin/on-own-node.cjs');

const [script = '', ...args] = process.argv.slice(2);
runOnOwnNode(resolve(script), args);
