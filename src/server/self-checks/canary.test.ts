import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  countRows,
  failTwice,
  impatient,
  minutes,
  prepareCanary,
  quick,
} from '../../../test/support/canary.ts';
import { collectLog } from '../../../test/support/log.ts';
import { serverWith } from '../../../test/support/recurring.ts';
import { storeSubmission } from '../../../test/support/stored-submissions.ts';
import { testSecret } from '../../../test/support/tokens.ts';
import { createRecaptcha } from '../bot-check/recaptcha.ts';
import { nzTime } from '../time/nz-time.ts';
import { createCanary } from './canary.ts';
import { createCanaryMarks } from './canary-mark.ts';

test('a canary is sent as a visitor’s form, mailed to its own mailbox and erased, and the watchdog is told', async () => {
  const { runDue, smtp, store, beats, told } = await prepareCanary({
    canaryTo: 'canary@trust.example',
  });
  await runDue();
  expect(smtp.accepted.map(({ to }) => to)).toEqual([['canary@trust.example']]);
  expect(smtp.accepted[0]?.raw).toContain('Subject: [Website] Daily test, for nobody:');
  expect(await countRows(store)).toBe(0);
  expect(beats()).toBe(1);
  expect(told).toEqual([]);
  expect(await store.findTime('canary')).not.toBeNull();
});

test('without a mailbox of its own, the mail server is only probed with the address of staff', async () => {
  const { runDue, smtp, beats } = await prepareCanary();
  await runDue();
  expect(beats()).toBe(1);
  expect(smtp.plainText).toContain('RCPT TO:<help@trust.example>');
  expect(smtp.plainText).not.toContain('DATA');
  expect(smtp.seen).toEqual([]);
});

test('where only a browser passes the bot check, the canary is posted without a script', async () => {
  const botCheck = createRecaptcha({
    siteKey: 'a key',
    secretKey: 'another',
    url: 'http://127.0.0.1:9',
    hostname: 'trust.example',
    onUnverified: () => {},
  });
  const { runDue, beats, store } = await prepareCanary({ app: { botCheck } });
  await runDue();
  expect(beats()).toBe(1);
  expect(await countRows(store)).toBe(0);
});

test('switched off, no canary is sent, and those of other servers are erased all the same', async () => {
  const { canary, runDue, store, beats, pass } = await prepareCanary({ at: null });
  await storeSubmission(store, { receivedAt: new Date(), canary: true });
  const persons = await storeSubmission(store, { receivedAt: new Date() });
  await canary.eraseLeftovers();
  await runDue();
  expect(await countRows(store)).toBe(2);
  pass(61 * minutes);
  await canary.eraseLeftovers();
  expect(await countRows(store)).toBe(1);
  expect(await store.findSubmission(persons)).not.toBeNull();
  expect(beats()).toBe(0);
  expect(await canary.findProblem()).toBeNull();
});

test('after one failure nobody is alerted, and the canary is sent again five minutes later', async () => {
  const { canary, runDue, smtp, beats, told, pass } = await prepareCanary({ options: impatient });
  smtp.script.RCPT = '451 later';
  await runDue();
  smtp.script = {};
  await runDue();
  expect(beats()).toBe(0);
  pass(5 * minutes);
  await runDue();
  expect(beats()).toBe(1);
  expect(told).toEqual([]);
  expect(await canary.findProblem()).toBeNull();
});

test('after two failures staff are alerted, and the health check fails until a canary gets through', async () => {
  const prepared = await prepareCanary({ options: impatient });
  const { canary, runDue, smtp, beats, pass, store } = prepared;
  smtp.script.MAIL = '550 not you';
  expect(await failTwice(prepared)).toBe('its mail was not taken: SMTP 550 at MAIL FROM');
  expect(await countRows(store)).toBe(0);
  smtp.script = {};
  await runDue();
  expect(await canary.findProblem()).not.toBeNull();
  pass(15 * minutes);
  await runDue();
  expect(await canary.findProblem()).toBeNull();
  expect(beats()).toBe(1);
});

test('a canary that is not sent at all is a problem after a day', async () => {
  const { canary, runDue, pass } = await prepareCanary();
  await runDue();
  expect(await canary.findProblem()).toBeNull();
  pass(25 * 60 * minutes);
  expect(await canary.findProblem()).toBeNull();
  pass(2 * 60 * minutes);
  expect(await canary.findProblem()).toContain('for more than a day');
});

test('a canary that cannot be erased counts as a failure', async () => {
  const prepared = await prepareCanary();
  const { store } = prepared;
  const { log, lines } = collectLog();
  const canary = createCanary({
    store: {
      ...store,
      eraseCanaries: async (which) => {
        if (which === 'all' && (await store.countAll()) > 0) throw new Error('The disk is full');
        return 0;
      },
    },
    at: '16:00',
    url: () => `http://127.0.0.1:${(prepared.app.server.address() as AddressInfo).port}`,
    marks: createCanaryMarks(testSecret, () => new Date()),
    sendHeartbeat: async () => {},
    alertStaff: async () => {},
    now: () => new Date(),
    log,
    options: quick,
  });
  await serverWith({ store, jobs: canary.recurring, now: () => new Date() })();
  expect(lines.join()).toContain('"reason":"it could not be erased"');
  expect(await store.findTime('canary')).toBeNull();
});

test('a canary that a shutdown interrupts is erased, and the next start sends another', async () => {
  // Its time was thirteen hours ago.
  const at = nzTime(new Date(Date.now() - 13 * 60 * minutes)).slice(11, 16);
  const { canary, runDue, smtp, store, beats } = await prepareCanary({
    canaryTo: 'canary@trust.example',
    at,
  });
  const answer = Promise.withResolvers<void>();
  smtp.hold = answer.promise;
  onTestFinished(() => answer.resolve());
  const stopped = runDue();
  await expect.poll(() => store.countAll()).toBe(1);
  canary.stop();
  await stopped;
  expect(await countRows(store)).toBe(0);
  let sent = 0;
  const run = async () => {
    sent++;
    return 'done' as const;
  };
  const jobs = canary.recurring.map((one) => ({ ...one, run }));
  await serverWith({ store, jobs, now: () => new Date() })();
  expect(sent).toBe(1);
  expect(beats()).toBe(0);
});

test('the canary of a killed server is erased by the next server, and a person’s request is not', async () => {
  const { runDue, store } = await prepareCanary();
  const persons = await storeSubmission(store, { receivedAt: new Date(Date.now() + minutes) });
  await storeSubmission(store, { receivedAt: new Date(), canary: true });
  await runDue();
  expect(await countRows(store)).toBe(1);
  expect(await store.findSubmission(persons)).not.toBeNull();
});
