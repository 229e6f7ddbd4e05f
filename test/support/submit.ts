import { DatabaseSync } from 'node:sqlite';
import { onTestFinished, vi } from 'vitest';
import { createAltcha } from '../../src/server/bot-check/altcha.ts';
import type { BotCheck } from '../../src/server/bot-check/bot-check.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import type { Seal } from '../../src/server/submissions/seal.ts';
import { createSubmit } from '../../src/server/submissions/submit.ts';
import { temporaryFolder } from './temporary.ts';
import { testSecret } from './tokens.ts';

/** A proof of work costs a flood next to nothing. With this one it costs nothing. */
export const believing: BotCheck = {
  description: 'none',
  client: { kind: 'altcha', challengePath: '' },
  identify: (token) => token,
  verify: async () => ({ ok: true, verdict: { kind: 'clean' } }),
};

/** `submitForm` with a real store and bot check, on a fixed date. */
export async function prepareSubmit(
  botCheck: BotCheck = createAltcha(testSecret),
  seal?: Seal,
  alerts = false,
) {
  const folder = temporaryFolder();
  const store = await openSqliteStore(folder);
  onTestFinished(() => store.close());
  const onStored = vi.fn();
  const now = () => new Date('2026-03-01T00:00:00Z');
  const submitForm = createSubmit({ store, botCheck, now, onStored, seal, alerts });
  const countStored = () => {
    using db = new DatabaseSync(`${folder}/awhina.sqlite`);
    return Number(db.prepare('SELECT count(*) AS n FROM submissions').get()?.n);
  };
  return { store, submitForm, onStored, countStored };
}
