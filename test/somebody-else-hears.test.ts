import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { claimMail } from '../src/server/store/contract/mail-jobs.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { nzMoment } from '../src/server/time/nz-time.ts';
import { startReceiver } from './support/alert-receiver.ts';
import { listen } from './support/canary.ts';
import { freePort } from './support/free-port.ts';
import { makeDue } from './support/recurring.ts';
import { serve } from './support/running-server.ts';
import { mailTo, startScriptedSmtp } from './support/scripted-smtp.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';
import { wrongBy } from './support/wrong-clocks.ts';

/** The whole server, and a mail server that accepts every mail. Nobody reads the mailbox of the team. */

const manager = 'manager@elsewhere.example';

/** A request of Monday 2 November 2026, which a mail server has accepted. */
async function prepare() {
  const dataDir = temporaryFolder();
  const smtp = await startScriptedSmtp();
  const alerts = await startReceiver();
  let beats = 0;
  const watchdog = await listen((_request, response) => {
    beats++;
    response.end();
  });
  const receivedAt = nzMoment('2026-11-02', '09:00');
  const store = await openSqliteStore(dataDir);
  const reference = await storeSubmission(store, { receivedAt });
  for (const claim of await claimMail(store, receivedAt, 10, 60_000, 'new'))
    await store.finishDelivery(claim, receivedAt);
  await store.close();
  onTestFinished(() => smtp.close());

  /** A server that starts at this time and has sent its canary. */
  async function startAt(day: string, time: string, settings = {}) {
    const port = await freePort();
    const server = await serve({
      ...{
        DATA_DIR: dataDir,
        REMINDERS: 'on',
        PUBLIC_URL: 'https://www.kowhai.example',
        TRUST_PROXY: '127.0.0.1',
      },
      ...{ ...mailTo(smtp.port), MAIL_TO_ESCALATE: manager, ALERT_URL: alerts.url, HEARTBEAT_URL: watchdog },
      ...{ PORT: String(port), CANARY_AT: '08:00', CANARY_URL: `http://127.0.0.1:${port}` },
      ...settings,
      ...wrongBy(nzMoment(day, time).getTime() - Date.now()),
    });
    return server;
  }
  return { dataDir, smtp, alerts, reference, startAt, beats: () => beats };
}

test('a mail that was accepted and dropped: within 31 days somebody else hears, the watchdog hears nothing, and health says so to us alone', async () => {
  const { dataDir, smtp, alerts, reference, startAt, beats } = await prepare();
  const toManager = () => smtp.accepted.filter(({ to }) => to.includes(manager));
  /** Runs a server for a while: what health says, in detail and to the public, once the canary has got through. */
  async function runOn(day: string) {
    const before = toManager().length;
    const server = await startAt(day, '10:00');
    const says = (text: string) => server.lines.some((line) => line.includes(text));
    await expect.poll(() => says('canary succeeded')).toBe(true);
    const details = await fetch(`${server.url}/health/deliveries`);
    const visitor = await fetch(`${server.url}/health/deliveries`, {
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });
    const health = { status: details.status, text: await details.text(), visitor: visitor.status };
    // Where one is due it is sent at the start.
    if (health.status === 503) await expect.poll(() => toManager().length).toBe(before + 1);
    await server.end();
    return { ...health, lines: server.lines.join('\n') };
  }

  expect(await runOn('2026-11-02')).toMatchObject({ status: 200, visitor: 200 });
  expect(await runOn('2026-11-03')).toMatchObject({ status: 200, visitor: 200 });
  expect([beats(), toManager()]).toEqual([2, []]);

  for (const day of ['2026-11-05', '2026-11-10', '2026-11-16', '2026-11-20', '2026-11-26', '2026-12-01']) {
    const { lines, ...health } = await runOn(day);
    expect(health).toMatchObject({ status: 503, visitor: 200 });
    expect(health.text).toContain('nobody has seen 1 request, the oldest since Monday 2 November');
    expect(lines).toContain('heartbeat withheld');
    // Neither a key nor an address is in the log.
    expect(lines).not.toMatch(/\/staff\/|@trust\.example|@elsewhere\.example/);
  }
  expect(beats()).toBe(2);
  expect(toManager().map(({ to }) => to)).toEqual(Array(6).fill([manager]));
  expect(alerts.texts()).toEqual(
    Array(6).fill('{"urgent":true,"text":"Nobody has seen 1 request, the oldest since Monday 2 November"}'),
  );
  const { subject, text = '' } = await PostalMime.parse(toManager()[0]?.raw ?? '');
  expect(subject).toBe('[Website] Nobody has seen 1 request');
  expect(text).toMatch(new RegExp(`^https://www\\.kowhai\\.example/staff/${reference}/[0-9a-f]{32}$`, 'm'));
  for (const word of ['Hōne', '021 000 000', 'A place to stay', 'somewhere warm'])
    expect(text).not.toContain(word);

  const store = await openSqliteStore(dataDir);
  await store.recordStep(reference, 'taken', 'AB', nzMoment('2026-12-01', '12:00'));
  await store.close();
  expect(await runOn('2026-12-02')).toMatchObject({ status: 200, visitor: 200 });
  expect([beats(), toManager().length]).toEqual([3, 6]);
});

/** A Monday morning on which all mails of the website's own are due at once, and no request has reached anybody. */
async function prepareMonday() {
  const { dataDir, startAt, smtp } = await prepare();
  const store = await openSqliteStore(dataDir);
  await makeDue(store, 'morning:help', 'unseen:help', 'letter:help');
  const urgent = await storeSubmission(store, { receivedAt: nzMoment('2026-11-09', '07:00'), urgent: true });
  await store.close();
  const start = (weekly: 'on' | 'off') =>
    startAt('2026-11-09', '10:00', { WEEKLY_LETTER: weekly, CANARY_AT: 'off' });
  return { smtp, urgent, start };
}
const isShort = ({ raw }: { raw: string }) => /^Message-ID: <.*-short@/im.test(raw);

test('a reminder or notice that is refused for good comes again, short and without links', async () => {
  const { smtp, urgent, start } = await prepareMonday();
  smtp.script.END = (mail) => (isShort(mail) ? undefined : '550 5.7.1 too many links');
  await start('on');
  const names = () => smtp.accepted.map(({ raw }) => /^Message-ID: <([a-z]+)-/im.exec(raw)?.[1]);
  await expect
    .poll(() => new Set(names()))
    .toEqual(new Set(['reminder', 'urgent', 'escalation', 'notice', 'weekly', 'unseen']));
  for (const { raw } of smtp.accepted) {
    const { text = '', html = '' } = await PostalMime.parse(raw);
    expect(text + html).not.toMatch(/https?:|href/);
    expect(text).toContain('./awhina list --open');
  }
  const reminder = smtp.accepted.find(({ raw }) => raw.includes('<urgent-'));
  const { subject, text } = await PostalMime.parse(reminder?.raw ?? '');
  expect(subject).toBe(`URGENT [Website] Nobody has taken request ${urgent}`);
  expect(text).toContain(`Search the mailbox of your team for: ${urgent}\n`);
});

test('if the short one is refused too, somebody else hears of it once, and health says so to us alone', async () => {
  const { smtp, start } = await prepareMonday();
  smtp.script.END = ({ to }) =>
    to.some((one) => one.endsWith('@trust.example')) ? '550 5.7.1 no' : undefined;
  const server = await start('off');
  const told = async () => {
    const mails = await Promise.all(smtp.accepted.map(({ raw }) => PostalMime.parse(raw)));
    return mails.filter(({ subject }) =>
      subject?.endsWith('The mail server refuses some emails of the website'),
    );
  };
  const perMailbox = [/some emails to contact@trust\.example/, /some emails to help@trust\.example/];
  const texts = async () =>
    (await told()).map(({ text }) => text ?? '').toSorted((a, b) => a.localeCompare(b));
  await expect.poll(texts).toEqual(perMailbox.map((one) => expect.stringMatching(one)));
  const says = 'the mail server refuses some emails to staff, also short ones without links: SMTP 550 5.7.1';
  const health = () => fetch(`${server.url}/health/deliveries`);
  await expect.poll(async () => (await health()).text()).toContain(says);
  expect((await health()).status).toBe(503);
  const visitor = await fetch(`${server.url}/health/deliveries`, {
    headers: { 'x-forwarded-for': '203.0.113.7' },
  });
  expect(visitor.status).toBe(200);
  // The urgent one and that of the morning are refused one after the other.
  await expect
    .poll(() => server.lines.filter((line) => line.includes('reminder not sent')).length)
    .toBeGreaterThan(1);
  expect(await told()).toHaveLength(2);
});
