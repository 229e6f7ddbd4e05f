/**
 * Says in one sentence what is wrong with Node. npm silently skips optional packages that need a newer Node than npm's own,
 * or that it could not fetch; later a tool would fail with a stack trace. Node 16 must be able to parse this file.
 */
const fs = require('node:fs');
const path = require('node:path');
const ownNode = require('../bin/own-node.cjs');

const agent = process.env.npm_config_user_agent || '';
const npmNode = agent.split(' ').filter((word) => word.startsWith('node/v'))[0];
const installer = npmNode ? npmNode.slice('node/v'.length) : process.versions.node;
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

// npm scripts find `node` by this link. npm 11 creates it; npm 10 creates and removes it (bin/own-node.cjs).
const link = path.resolve('node_modules/.bin/node');
if (process.platform !== 'win32' && !fs.existsSync(link)) {
  fs.symlinkSync(path.relative(path.dirname(link), ownNode), link);
}
