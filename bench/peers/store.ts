/** Every peer stores submissions with the same code, one sync each, so that only the server in front of it differs. */
import { mkdirSync } from 'node:fs';
import type { Receipt } from '../../src/model/operations.ts';
import { openBareStore, type SubmissionVariables } from '../throughput/bare-store.ts';

const folder = process.env.DATA_DIR ?? '';
mkdirSync(folder, { recursive: true });
const store = openBareStore(folder);

export const write = (variables: SubmissionVariables): Receipt => store.write(variables);
