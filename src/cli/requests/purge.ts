import { parseArgs } from 'node:util';
import { asSentence } from '../../model/sentence.ts';
import { findUnread, mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { createRetention, findExpired } from '../../server/erasure/retention.ts';
import type { Expiry, ExpiryRule } from '../../server/store/contract/archive.ts';
import {
  type ClockCheck,
  type ClockFault,
  describeClockFault,
  findJumpFrom,
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
  summary:
    'erase what has expired: seen RETENTION_DAYS ago, or unseen for too long (the server does it every hour)',
  usage: `awhina purge [options]

  --dry-run       only say what would be erased
  --trust-clock   you know that the clock is right: erase although it does not fit what is stored. After the clock has
                  jumped, or the machine was off for a week, what nobody has seen is erased only with this
  --json          for programs`,
  asOwner: true,

  async run(args) {
    const flag = { type: 'boolean' } as const;
    const options = { 'dry-run': flag, 'trust-clock': flag, json: flag } as const;
    const { values } = parseArgs({ args, options });
    return withStore(async (store, settings, isComplete) => {
      const { dataDir } = settings;
      const now = () => new Date();
      const mailFolder = mailFolderIn(dataDir);
      const unread = await findUnread(mailFolder);
      if (unread.length > 0) remark(explainUnread(unread.length, mailFolder));
      const trusts = values['trust-clock'] ?? false;
      const clockCheck: ClockCheck = {
        checkClock(times) {
          const known = findRightTime(times);
          const fault = trusts ? null : judgeClock(now(), known);
          return known && fault ? { fault, since: known } : null;
        },
        findJump: ({ jumpedFrom }) => (trusts ? null : findJumpFrom(now(), [jumpedFrom])),
      };
      if (values['dry-run']) {
        const times = await store.findTimes();
        const wrong = clockCheck.checkClock(times);
        if (wrong) throw refusal('Nothing would be erased', wrong.fault, now());
        const jumpedFrom = clockCheck.findJump(times);
        const { retentionDays, unseenRetentionDays } = settings;
        const state = {
          retentionDays,
          unseenRetentionDays,
          times,
          jumpedFrom,
          isComplete,
          by: 'dry run' as const,
        };
        const { expiries, isWarned } = await findExpired(store, now(), state);
        const except = unread.flatMap(({ references }) => references);
        const listed = await Promise.all(
          expiries.map((expiry) =>
            store.listExpired(expiry, noLimit, expiry.rule === 'delivered' ? except : []),
          ),
        );
        const found = [...new Set(listed.flat())];
        if (values.json) printJson({ until: findUntil(expiries), references: found });
        else {
          print(`${describeRequests(found.length)} ${formatExpired(expiries)} would be erased.`);
          for (const reference of found) print(`  ${reference}`);
          if (jumpedFrom) remark(asSentence(describeClockFault('jumped')));
          else if (!isWarned) remark(unseenStays);
        }
        return 0;
      }
      const eraseExpired = createRetention({
        archive: store,
        ...settings,
        mailFolder,
        now,
        ...clockCheck,
        isComplete,
        by: 'command',
      });
      const { count, unseen, scrubbed, clockFault, expiries, isWarned } = await eraseExpired();
      if (clockFault && clockFault !== 'jumped') throw refusal('Nothing was erased', clockFault, now());
      if (values.json) printJson({ until: findUntil(expiries), erased: count, unseen, scrubbed });
      else print(`${describeRequests(count)} ${formatExpired(expiries)} erased.`);
      if (unseen > 0) remark(`Nobody had seen ${unseen} of them: awhina losses says more.`);
      if (clockFault) remark(asSentence(describeClockFault(clockFault)));
      else if (!isWarned) remark(unseenStays);
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

const unseenStays =
  'What nobody may have seen is erased in two weeks at the earliest. Until then staff are warned of it each working day.';

/** 'last seen before …, or never seen and received before …'. */
const formatExpired = (expiries: readonly Expiry[]) =>
  expiries.map(({ rule, until }) => `${ruleWords[rule]} before ${nzTime(until)}`).join(', or ');

const findUntil = ([first]: readonly Expiry[]) => first?.until ?? null;

const ruleWords: Record<ExpiryRule, string> = {
  seen: 'last seen',
  unseen: 'never seen and received',
  delivered: 'accepted by a mail server',
  withdrawn: 'withdrawn',
};

const describeRequests = (count: number) => (count === 1 ? '1 request' : `${count} requests`);

const clockWords: Record<ClockFault, string> = {
  ahead: 'more than a week ahead of',
  'far ahead': 'more than a year ahead of',
  behind: 'behind',
  jumped: 'ahead of',
};
