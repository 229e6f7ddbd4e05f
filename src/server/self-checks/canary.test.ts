import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { smtpTo } from '../../../test/support/delivery.ts';
import { sampleEntries, shippedContent } from '../../../test/support/forms.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { addresses, keepSubmission } from '../../../test/support/kept-submissions.ts';
import { keepLog } from '../../../test/support/log.ts';
import { startScriptedSmtp } from '../../../test/support/scripted-smtp.ts';
import { farFromNow } from '../../../test/support/time-of-day.ts';
import { mintToken, testSecret } from '../../../test/support/tokens.ts';
import { submitMutations } from '../../model/operations.ts';
import type { AppParts } from '../app.ts';
import { createAltcha } from '../bot-check/altcha.ts';
import { createRecaptcha } from '../bot-check/recaptcha.ts';
import { createSend } from '../delivery/queue/send-submission.ts';
import { createWorker } from '../delivery/queue/worker.ts';
import type { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { type CanaryParts, createCanary } from './canary.ts';
import { createCanaryMarks, markHeader } from './canary-mark.ts';
import { SiteAway } from './canary-visit.ts';
import { createHeartbeat } from './heartbeat.ts';

/** Listens on loopback until the test is over. */
async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const quick = { pollMs: 10, storedMs: 500, mailMs: 20_000 };
/** For those whose mail is put off. */
const impatient = { ...quick, mailMs: 2_000 };
const minutes = 60_000;

interface Changes extends Partial<CanaryParts> {
  app?: Partial<AppParts>;
  canaryTo?: string;
}

/** The site with its door open, its worker and a mail server; and a clock that the rounds go by. */
async function prepare({ app: changes = {}, canaryTo, ...parts }: Changes = {}) {
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const marks = createCanaryMarks(testSecret, () => new Date());
  const site = await prepareApp({ canaryMarks: marks, ...changes });
  const { store } = site;
  const url = await site.app.listen({ port: 0, host: '127.0.0.1' });
  const smtp = await startScriptedSmtp();
  const worker = createWorker({
    queue: store,
    send: createSend({
      transport: smtpTo(smtp.port),
      site: () => shippedContent.site,
      addresses,
      canaryTo,
      now,
    }),
    now,
    log: keepLog().log,
    options: { everyMs: 0, pollMs: 20 },
  });
  worker.start();
  onTestFinished(async () => {
    await worker.stop();
    await smtp.close();
  });
  const told: string[] = [];
  let beats = 0;
  const { log, lines } = keepLog();
  const canary = createCanary({
    store,
    at: farFromNow,
    url: () => url,
    marks,
    sendHeartbeat: async () => void beats++,
    alertStaff: async (alarm, problem) => void told.push(`${alarm}: ${problem}`),
    now,
    log,
    options: { ...quick, ...parts.options },
    ...parts,
  });
  return {
    ...site,
    smtp,
    canary,
    told,
    lines,
    beats: () => beats,
    pass: (ms: number) => {
      ahead += ms;
    },
  };
}

/** What there is of it in the database, past all that the store leaves out. */
const rowsIn = async (store: SqliteStore) => store.countAll();

/** Two rounds, the second when it is time for it: what staff are told then, and what /health/deliveries says. */
async function failTwice(
  { canary, told, pass }: Awaited<ReturnType<typeof prepare>>,
  alarm = 'canary',
): Promise<string> {
  await canary.round();
  expect(told).toEqual([]);
  expect(await canary.findProblem()).toBeNull();
  pass(5 * minutes);
  await canary.round();
  const problem = (await canary.findProblem()) ?? 'nothing';
  expect(told).toEqual([`${alarm}: ${problem}`]);
  return problem.replace('the website’s daily test did not get through: ', '');
}

test('it comes in by the door, goes to a mailbox of its own, is gone afterwards, and a watchdog hears of it', async () => {
  const { canary, smtp, store, beats, told } = await prepare({ canaryTo: 'canary@trust.example' });
  await canary.round();
  expect(smtp.accepted.map(({ to }) => to)).toEqual([['canary@trust.example']]);
  expect(smtp.accepted[0]?.raw).toContain('Subject: [Website] Daily test, for nobody:');
  expect(await rowsIn(store)).toBe(0);
  expect(beats()).toBe(1);
  expect(told).toEqual([]);
  expect((await store.readCanary()).succeededAt).not.toBeNull();
});

test('without a mailbox of its own the mail server is only asked whether it would take one for staff', async () => {
  const { canary, smtp, beats } = await prepare();
  await canary.round();
  expect(beats()).toBe(1);
  expect(smtp.plainText).toContain('RCPT TO:<help@trust.example>');
  expect(smtp.plainText).not.toContain('DATA');
  expect(smtp.seen).toEqual([]);
});

test('where only a browser passes the bot check, it goes the way of a form without a script', async () => {
  const botCheck = createRecaptcha({
    siteKey: 'a key',
    secretKey: 'another',
    url: 'http://127.0.0.1:9',
    hostname: 'trust.example',
    onUnverified: () => {},
  });
  const { canary, beats, store } = await prepare({ app: { botCheck } });
  await canary.round();
  expect(beats()).toBe(1);
  expect(await rowsIn(store)).toBe(0);
});

test('it is sent once a day, by whichever server comes first', async () => {
  const { canary, beats, pass } = await prepare();
  await Promise.all([canary.round(), canary.round(), canary.round()]);
  await canary.round();
  expect(beats()).toBe(1);
  pass(24 * 60 * minutes);
  await canary.round();
  await canary.round();
  expect(beats()).toBe(2);
});

test('off, it is never sent, and what another left is erased all the same', async () => {
  const { canary, store, beats, pass } = await prepare({ at: null });
  await keepSubmission(store, { receivedAt: new Date(), canary: true });
  const persons = await keepSubmission(store, { receivedAt: new Date() });
  await canary.round();
  expect(await rowsIn(store)).toBe(2);
  pass(61 * minutes);
  await canary.round();
  expect(await rowsIn(store)).toBe(1);
  expect(await store.findSubmission(persons)).not.toBeNull();
  expect(beats()).toBe(0);
  expect(await canary.findProblem()).toBeNull();
});

test('it fails once: nobody is told, it is tried again some minutes later, and all is well', async () => {
  const { canary, smtp, beats, told, pass } = await prepare({ options: impatient });
  smtp.script.RCPT = '451 later';
  await canary.round();
  smtp.script = {};
  await canary.round();
  expect(beats()).toBe(0);
  pass(5 * minutes);
  await canary.round();
  expect(beats()).toBe(1);
  expect(told).toEqual([]);
  expect(await canary.findProblem()).toBeNull();
});

test('it fails twice: staff are told, the site’s health is red until one gets through', async () => {
  const prepared = await prepare({ options: impatient });
  const { canary, smtp, beats, pass, store } = prepared;
  smtp.script.MAIL = '550 not you';
  expect(await failTwice(prepared)).toBe('its mail was not taken: SMTP 550 at MAIL FROM');
  expect(await rowsIn(store)).toBe(0);
  smtp.script = {};
  await canary.round();
  expect(await canary.findProblem()).not.toBeNull();
  pass(15 * minutes);
  await canary.round();
  expect(await canary.findProblem()).toBeNull();
  expect(beats()).toBe(1);
});

test('the mailbox of its own refuses it', async () => {
  const prepared = await prepare({ canaryTo: 'canary@trust.example' });
  prepared.smtp.script.RCPT = '550 no such mailbox';
  expect(await failTwice(prepared)).toBe('its mail was refused: SMTP 550 at RCPT TO');
  expect(await rowsIn(prepared.store)).toBe(0);
});

test('the mail server says nothing at all', async () => {
  const prepared = await prepare({ options: { ...quick, mailMs: 300 } });
  prepared.smtp.script.GREETING = 'silent';
  expect(await failTwice(prepared)).toBe('its mail waits for too long');
});

test('nobody answers at its address: staff hear that in words, and the log has the code', async () => {
  const port = await freePort();
  const prepared = await prepare({ url: () => `http://127.0.0.1:${port}` });
  expect(await failTwice(prepared, 'away')).toBe('at its daily test the website did not answer');
  expect(prepared.lines.join()).toContain('the website did not answer: ECONNREFUSED');
});

test.each([
  ['ENOTFOUND', 'the website’s address could not be found'],
  ['CERT_HAS_EXPIRED', 'the website’s certificate was not right'],
  ['no answer in time', 'the website did not answer'],
])('%s is no word for staff', (code, said) => {
  expect(new SiteAway(code).message).toBe(said);
});

test('something else answers at its address: it gets no form', async () => {
  const methods: (string | undefined)[] = [];
  const url = await listen((request, response) => {
    methods.push(request.method);
    response.end('<h1>Another website</h1>');
  });
  const prepared = await prepare({ url: () => url });
  expect(await failTwice(prepared)).toBe('something other than this website answers at its address');
  expect(methods).toEqual(['GET', 'GET']);
});

test('a site with another secret gets no form either, so that it takes none for a person’s', async () => {
  const other = await prepareApp({
    canaryMarks: createCanaryMarks('another secret, and just as long as ours', () => new Date()),
  });
  const url = await other.app.listen({ port: 0, host: '127.0.0.1' });
  const prepared = await prepare({ url: () => url });
  expect(await failTwice(prepared)).toBe('something other than this website answers at its address');
  expect(await rowsIn(other.store)).toBe(0);
});

test('its address leads on to another', async () => {
  const url = await listen((_request, response) => response.writeHead(301, { location: '/' }).end());
  const prepared = await prepare({ url: () => url });
  expect(await failTwice(prepared)).toContain('leads on to another one');
});

test('a proxy in front has nobody behind it', async () => {
  const url = await listen((_request, response) => response.writeHead(502).end());
  const prepared = await prepare({ url: () => url });
  expect(await failTwice(prepared, 'away')).toBe('at its daily test the website did not answer');
});

test('the page has no form on it', async () => {
  const prepared = await prepare();
  const marks = createCanaryMarks(testSecret, () => new Date());
  const url = await listen((request, response) =>
    response.setHeader('x-awhina-canary', marks.signResponse(request.headers) ?? '').end('<h1>Broken</h1>'),
  );
  const broken = await prepare({ url: () => url, store: prepared.store });
  expect(await failTwice(broken)).toBe('the form is not on its page');
});

test('the bot check turns it away', async () => {
  const check = createAltcha(testSecret);
  const botCheck = { ...check, verify: async () => ({ ok: false, reason: 'forged' }) as const };
  const prepared = await prepare({ app: { botCheck } });
  expect(await failTwice(prepared)).toBe('the form was not taken: BOT_CHECK_FAILED');
});

test('it gets a receipt and is not kept', async () => {
  const submitForm: AppParts['submitForm'] = async () => ({
    ok: true,
    receipt: { reference: 'AAAA-AAAA', receivedAt: new Date().toISOString() },
  });
  const { canary, told, pass } = await prepare({ app: { submitForm } });
  await canary.round();
  // Whoever took it for a person's may have mailed it to staff: they hear why, and get no second one today.
  const problem = await canary.findProblem();
  expect(problem).toContain('it got a receipt and was not kept');
  expect(told).toEqual([`canary: ${problem}`]);
  pass(60 * minutes);
  await canary.round();
  expect(told).toHaveLength(1);
  pass(24 * 60 * minutes);
  await canary.round();
  expect(told).toHaveLength(2);
});

test('one that is not sent any more, whatever keeps it, is a problem after a day', async () => {
  const { canary, pass } = await prepare();
  await canary.round();
  expect(await canary.findProblem()).toBeNull();
  pass(25 * 60 * minutes);
  expect(await canary.findProblem()).toBeNull();
  pass(2 * 60 * minutes);
  expect(await canary.findProblem()).toContain('for more than a day');
});

test('it cannot be erased', async () => {
  const prepared = await prepare();
  const { store } = prepared;
  const { log, lines } = keepLog();
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
  await canary.round();
  expect(lines.join()).toContain('"reason":"it could not be erased"');
  expect(await store.readCanary()).toMatchObject({ failures: 1, succeededAt: null });
});

test('who stops it midway finds nothing of it, and the next start sends one at once', async () => {
  const { canary, smtp, store, beats } = await prepare({ canaryTo: 'canary@trust.example' });
  const answer = Promise.withResolvers<void>();
  smtp.hold = answer.promise;
  onTestFinished(() => answer.resolve());
  const stopped = canary.round();
  await expect.poll(() => store.countAll(), { timeout: 20_000 }).toBe(1);
  await canary.stop();
  await stopped;
  expect(await rowsIn(store)).toBe(0);
  expect(await store.readCanary()).toMatchObject({ failures: 0, tryAt: null });
  expect(beats()).toBe(0);
});

test('what a killed server left is erased by whoever comes next, and a person’s request is not', async () => {
  const { canary, store } = await prepare();
  const persons = await keepSubmission(store, { receivedAt: new Date(Date.now() + minutes) });
  await keepSubmission(store, { receivedAt: new Date(), canary: true });
  await canary.round();
  expect(await rowsIn(store)).toBe(1);
  expect(await store.findSubmission(persons)).not.toBeNull();
});

test('what a person sends with somebody’s mark on it is a request like any other', async () => {
  const { app, store, smtp } = await prepare();
  const marks = createCanaryMarks(testSecret, () => new Date());
  const strangers = createCanaryMarks('another secret, and just as long as ours', () => new Date());
  const entries = sampleEntries.help;
  const copied = [...entries.slice(0, -1), { key: 'Message', value: 'Another of mine' }];
  for (const mark of [marks.markAnswers('help', copied), strangers.markAnswers('help', entries), 'canary']) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { [markHeader]: mark },
      payload: {
        query: submitMutations.help,
        variables: { fields: entries, recaptchaToken: await mintToken() },
      },
    });
    expect(statusCode).toBe(200);
  }
  expect(await store.countSubmissions({})).toMatchObject({ total: 3 });
  await expect
    .poll(() => smtp.accepted.map(({ to }) => to[0]), { timeout: 20_000 })
    .toEqual(Array(3).fill('help@trust.example'));
});

test('a watchdog is asked for its address and told nothing; what it answers is of no matter, and it is in no log', async () => {
  const asked: string[] = [];
  const url = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(asked.length < 3 ? 500 : 302, { location: '/elsewhere' }).end();
    });
  });
  const { log, lines } = keepLog();
  const sendHeartbeat = createHeartbeat(`${url}/secret-address`, log, { pauseMs: 1 });
  await sendHeartbeat(new AbortController().signal);
  expect(asked).toEqual(Array(3).fill('GET /secret-address '));
  expect(lines.join()).toContain('HTTP 302');
  await createHeartbeat(`http://127.0.0.1:${await freePort()}/secret-address`, log, { pauseMs: 1 })(
    new AbortController().signal,
  );
  expect(lines.join()).toContain('ECONNREFUSED');
  expect(lines.join()).not.toContain('secret-address');
});
