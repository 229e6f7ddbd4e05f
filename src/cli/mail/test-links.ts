import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readStoredSecret, secretPath } from '../../server/bot-check/stored-secret.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import type { Settings } from '../../server/settings/settings.ts';
import { createStaffKeys } from '../../server/staff/staff-key.ts';
import { ignoreUnavailable } from '../../server/store/contract/errors.ts';
import { signOf, type Times } from '../../server/store/contract/times.ts';
import { CommandFailed, Interrupted } from '../command.ts';
import { print, symbolOf } from '../terminal.ts';

const waitMinutes = 10;
const pollMs = 1_000;

/** The link in the test mail to each address, and the wait until somebody has pressed it. */
export function createTestLinks(settings: Settings, store: Pick<Times, 'findTime'>) {
  const { publicUrl, dataDir, botCheckSecret } = settings;
  const keys = createStaffKeys(botCheckSecret ?? readSecret(dataDir));
  const tests = new Map<string, string>();

  return {
    linkFor(address: string): string {
      const test = randomBytes(8).toString('hex');
      tests.set(address, test);
      return publicUrl + keys.pathForLetter({ test });
    },
    /** Resolves to whether somebody pressed for every address. */
    async waitForPresses(polls = (waitMinutes * 60_000) / pollMs): Promise<boolean> {
      print(
        `Its link, “Yes, it arrived”, shows that. Waiting for a press at each address, ${waitMinutes} minutes at most; Ctrl-C stops the wait.`,
      );
      const waiting = new Map(tests);
      const names = () => terminalSafe([...waiting.keys()].join(', '));
      const interrupt = new AbortController();
      const stop = () => interrupt.abort();
      process.once('SIGINT', stop);
      try {
        for (let poll = 0; poll < polls && waiting.size > 0; poll++) {
          for (const [address, test] of waiting) {
            if (!(await store.findTime(signOf({ test })).catch(ignoreUnavailable(null)))) continue;
            waiting.delete(address);
            print(`${symbolOf(true)} ${terminalSafe(address)}: a person has it`);
          }
          if (waiting.size > 0) await pause(pollMs, undefined, { signal: interrupt.signal });
        }
      } catch (error) {
        if (!interrupt.signal.aborted) throw error;
        throw new Interrupted(`Stopped waiting. The test was sent, but nobody has pressed at ${names()}.`);
      } finally {
        process.off('SIGINT', stop);
      }
      if (waiting.size > 0)
        print(
          `${symbolOf(false)} Nobody has pressed at ${names()}. Ask the people there, and look among the junk mail.`,
        );
      return waiting.size === 0;
    },
  };
}

export type TestLinks = ReturnType<typeof createTestLinks>;

function readSecret(dataDir: string): string {
  let secret: string | null;
  try {
    secret = readStoredSecret(dataDir);
  } catch (cause) {
    throw new CommandFailed(`${secretPath(dataDir)} cannot be read.`, { cause });
  }
  if (secret === null)
    throw new CommandFailed(
      `There is no secret of the site in ${dataDir} yet: the server makes it at its start.`,
    );
  return secret;
}
