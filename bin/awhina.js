#!/usr/bin/env node
// Whatever Node the machine has, the command runs under the one this project brings (see package.json).
import { fileURLToPath } from 'node:url';
import runOnOwnNode from './on-own-node.cjs';

await runOnOwnNode(fileURLToPath(new URL('../src/cli/awhina.ts', import.meta.url)), process.argv.slice(2));
