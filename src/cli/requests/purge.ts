import { parseArgs } from 'node:util';
import { findUnread, mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { createRetention, expiryCutoff } from '../../server/erasure/retention.ts';
import {
  type CheckClock,
  type ClockFault,
  findRightTime,
  judgeClock,
} from '../../server/time/clock-trust.ts';
import { nzTime } from '../../server/time/nz-time.ts';
import { type Command, CommandFailed } from '../command.ts';
import { explainUnread } from '../mail/unread-mail.ts';
import { print, printJson, remark } from '../terminal.ts';
import { withStore } from '../with-store.ts';

const noLimit = 1_000_000_000;

export const purge: Command = {
  summary: 'erase what was delivered longer ago than RETENTION_DAYS (the server does it every hour)',
  usage: `awhina purge [options]

  --dry-run       only say what would be erased
  --trust-clock   erase although the clock does not fit what is stored, because you know that it is right
  --json          for programs`,
  asOwner: true,

  async run(args) {
    const flag = { type: 'boolean' } as const;
    const options = { 'dry-run': flag, 'trust-clock': flag, json: flag } as const;
    const { values } = parseArgs({ args, options });
    return withStore(async (store, { retentionDays, dataDir }, isComplete) => {
      const now = () => new Date();
      const deliveredBefore = expiryCutoff(now(), retentionDays);
      const mailFolder = mailFolderIn(dataDir);
      const unread = await findUnread(mailFolder);
      if (unread.length > 0) remark(explainUnread(unread.length, mailFolder));
      const checkClock: CheckClock = (times) => {
        const known = findRightTime(times);
        const fault = values['trust-clock'] ? null : judgeClock(now(), known);
        return known && fault ? { fault, since: known } : null;
      };
      if (values['dry-run']) {
        const wrong = checkClock(await store.findTimes());
        if (wrong) throw refusal('Nothing would be erased', wrong.fault, now());
        const except = unread.flatMap(({ references }) => references);
        const references = await store.listDelivered(deliveredBefore, noLimit, except);
        if (values.json) printJson({ until: deliveredBefore, references });
        else {
          print(
            `${sayRequests(references.length)} delivered before ${nzTime(deliveredBefore)} would be erased.`,
          );
          for (const reference of references) print(`  ${reference}`);
        }
        return 0;
      }
      const eraseExpired = createRetention({
        archive: store,
        mailFolder,
        dataDir,
        retentionDays,
        now,
        checkClock,
        isComplete,
      });
      const { count, scrubbed, clockFault } = await eraseExpired();
      if (clockFault) throw refusal('Nothing was erased', clockFault, now());
      if (values.json) printJson({ until: deliveredBefore, erased: count, scrubbed });
      else print(`${sayRequests(count)} delivered before ${nzTime(deliveredBefore)} erased.`);
      if (!scrubbed) remark(tracesLeft);
      return scrubbed ? 0 : 1;
    });
  },
};

export const tracesLeft =
  'The database files still hold traces: something was reading them just now, or they are too large to rewrite (docs/operating.md). Run this again in a moment; the server also does so every hour.';

const refusal = (what: string, fault: ClockFault, at: Date) =>
  new CommandFailed(
    `${what}: it is ${nzTime(at)} by this machine's clock, which is ${clockWords[fault]} what is stored.
If the clock is right, run: ./awhina purge --trust-clock`,
  );

const sayRequests = (count: number) => (count === 1 ? '1 request' : `${count} requests`);

const clockWords: Record<ClockFault, string> = {
  ahead: 'more than a week ahead of',
  'far ahead': 'more than a year ahead of',
  behind: 'behind',
};
