/** What every peer keeps a submission with, so that only what stands before it differs: one sync a request. */
import { mkdirSync } from 'node:fs';
import type { Receipt } from '../../src/model/operations.ts';
import { openBareStore, type Sent } from '../throughput/bare-store.ts';

const folder = process.env.DATA_DIR ?? '';
mkdirSync(folder, { recursive: true });
const store = openBareStore(folder);

export const keep = (sent: Sent): Receipt | undefined => store.keep([sent])[0];
