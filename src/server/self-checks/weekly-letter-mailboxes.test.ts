import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../test/support/delivery.ts';
import { shippedContent } from '../../../test/support/forms.ts';
import { collectLog } from '../../../test/support/log.ts';
import { serverWith } from '../../../test/support/recurring.ts';
import { startScriptedSmtp } from '../../../test/support/scripted-smtp.ts';
import { createClock } from '../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import type { ReadLetter } from '../store/contract/times.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createWeeklyLetters, type WeeklyLetterParts } from './weekly-letter-job.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const addresses = {
  from: 'website@trust.example',
  to: { help: ['help@trust.example'], contact: ['office@trust.example'] },
};
const well = async () => ({ problems: [] as string[], warnings: [] as string[], forStaff: [] });

/** Wednesday noon, in the week before the first letter. */
async function prepare() {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  const smtp = await startScriptedSmtp();
  onTestFinished(async () => {
    await store.close();
    await smtp.close();
  });
  const clock = createClock('2026-11-10T23:00:00Z');
  const server = (changes: Partial<WeeklyLetterParts> = {}) => {
    const jobs = createWeeklyLetters({
      settings: {
        ...{ weeklyLetter: true, dataDir, contentDir: 'content', reminders: null },
        mail: { smtpUrl: 'smtp://there' },
      },
      ...{ store, addresses, log: collectLog().log, now: clock.now, site: () => shippedContent.site },
      health: { ready: well, deliveries: well },
      transport: smtpTo(smtp.port),
      ...changes,
    });
    return serverWith({ store, jobs, now: clock.now });
  };
  const read = async (index: number) => PostalMime.parse(smtp.accepted[index]?.raw ?? '');
  const wait = () => clock.advance(4 * day + 20 * 60 * minute - minute);
  return { smtp, clock, server, read, wait };
}

test.each([
  ['for now', '451 later', 16 * minute],
  ['for good', '550 no', day],
])(
  'a mailbox whose letter was refused %s gets it later, and the other gets no second one',
  async (_what, reply, later) => {
    const { smtp, clock, server, wait } = await prepare();
    const sendIfDue = server();
    await sendIfDue();
    wait();
    clock.advance(minute);
    smtp.script.RCPT = ({ to }) => (to.includes('help@trust.example') ? reply : undefined);
    await sendIfDue();
    expect(smtp.accepted.map(({ to }) => to)).toEqual([['office@trust.example']]);
    delete smtp.script.RCPT;
    clock.advance(later - 2 * minute);
    await sendIfDue();
    expect(smtp.accepted).toHaveLength(1);
    clock.advance(2 * minute);
    await sendIfDue();
    expect(smtp.accepted.map(({ to }) => to)).toEqual([['office@trust.example'], ['help@trust.example']]);
  },
);

test('each letter has one link of its own, which says what it is for; without one, neither', async () => {
  const { smtp, clock, server, read, wait } = await prepare();
  await server()();
  wait();
  clock.advance(minute);
  const letterLink = (letter: ReadLetter) => `https://trust.example/${JSON.stringify(letter)}`;
  await server({ letterLink })();
  for (const [index, form] of (['help', 'contact'] as const).entries()) {
    const url = letterLink({ day: '2026-11-16', form });
    const { text = '', html = '' } = await read(index);
    expect(text.trimEnd().endsWith(`\n\nI have read this letter:\n${url}`)).toBe(true);
    expect(html.match(/<a /g)).toHaveLength(1);
    for (const part of [text, html]) expect(part).toContain('so that the website knows that somebody reads');
  }
  clock.advance(7 * day);
  await server()();
  expect(smtp.accepted).toHaveLength(4);
  expect((await read(2)).text).not.toContain('I have read this letter');
});
