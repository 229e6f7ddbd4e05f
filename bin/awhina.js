#!/usr/bin/env node
// The command runs on the Node that package.json pins, whichever Node has started this file.
import { fileURLToPath } from 'node:url';
import runOnOwnNode from './on-own-node.cjs';

await runOnOwnNode(fileURLToPath(new URL('../src/cli/awhina.ts', import.meta.url)), process.argv.slice(2));
