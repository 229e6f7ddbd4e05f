/**
 * What is wrong with Node, in one sentence, before a tool that is missing says it in twenty: npm leaves out, without a
 * word, what its own Node is too old for and what it could not fetch. Old ones must be able to read this.
 */
const fs = require('node:fs');
const path = require('node:path');
const ownNode = require('../bin/own-node.cjs');

const agent = process.env.npm_config_user_agent || '';
const ofNpm = agent.split(' ').filter((word) => word.startsWith('node/v'))[0];
const installer = ofNpm ? ofNpm.slice('node/v'.length) : process.versions.node;
const [major, minor] = installer.split('.').map(Number);
const isRecent = major === 20 ? minor >= 19 : major > 22 || (major === 22 && minor >= 12);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (!isRecent)
  fail(`Node ${installer} is too old for this project: it needs 20.19, 22.12 or anything newer.`);
if (!fs.existsSync(ownNode)) {
  fail('The Node that comes with the packages is not here: see that the network is, and run npm ci again.');
}

// The `node` of every npm script. npm 11 makes it by itself; npm 10 makes it and removes it again (bin/own-node.cjs).
const link = path.resolve('node_modules/.bin/node');
if (process.platform !== 'win32' && !fs.existsSync(link)) {
  fs.symlinkSync(path.relative(path.dirname(link), ownNode), link);
}
