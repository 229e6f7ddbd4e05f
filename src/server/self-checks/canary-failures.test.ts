import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { countRows, failTwice, listen, minutes, prepareCanary, quick } from '../../../test/support/canary.ts';
import { sampleEntries } from '../../../test/support/forms.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { mintToken, testSecret } from '../../../test/support/tokens.ts';
import { submitMutations } from '../../model/operations.ts';
import type { AppParts } from '../app.ts';
import { createAltcha } from '../bot-check/altcha.ts';
import { createCanaryMarks, markHeader } from './canary-mark.ts';
import { SiteAway } from './canary-visit.ts';

test('a canary that its mailbox refuses says so', async () => {
  const prepared = await prepareCanary({ canaryTo: 'canary@trust.example' });
  prepared.smtp.script.RCPT = '550 no such mailbox';
  expect(await failTwice(prepared)).toBe('its mail was refused: SMTP 550 at RCPT TO');
  expect(await countRows(prepared.store)).toBe(0);
});

test('a canary whose mail server is silent says that its mail waits for too long', async () => {
  const prepared = await prepareCanary({ options: { ...quick, mailMs: 300 } });
  prepared.smtp.script.GREETING = 'silent';
  expect(await failTwice(prepared)).toBe('its mail waits for too long');
});

test('where the website does not answer, staff read it in words, and the log has the code', async () => {
  const port = await freePort();
  const prepared = await prepareCanary({ url: () => `http://127.0.0.1:${port}` });
  expect(await failTwice(prepared, 'away')).toBe('at its daily test the website did not answer');
  expect(prepared.lines.join()).toContain('the website did not answer: ECONNREFUSED');
});

test.each([
  ['ENOTFOUND', 'the website’s address could not be found'],
  ['CERT_HAS_EXPIRED', 'the website’s certificate was not right'],
  ['no answer in time', 'the website did not answer'],
])('%s is put in words for staff', (code, said) => {
  expect(new SiteAway(code).message).toBe(said);
});

test('another website at the address gets no form', async () => {
  const methods: (string | undefined)[] = [];
  const url = await listen((request, response) => {
    methods.push(request.method);
    response.end('<h1>Another website</h1>');
  });
  const prepared = await prepareCanary({ url: () => url });
  expect(await failTwice(prepared)).toBe('something other than this website answers at its address');
  expect(methods).toEqual(['GET', 'GET']);
});

test('a website with another secret gets no form, and so cannot take it for a person’s request', async () => {
  const other = await prepareApp({
    canaryMarks: createCanaryMarks('another secret, and just as long as ours', () => new Date()),
  });
  const url = await other.app.listen({ port: 0, host: '127.0.0.1' });
  const prepared = await prepareCanary({ url: () => url });
  expect(await failTwice(prepared)).toBe('something other than this website answers at its address');
  expect(await countRows(other.store)).toBe(0);
});

test.each<[string, number, 'canary' | 'away', string]>([
  ['an address that redirects', 301, 'canary', 'leads on to another one'],
  ['a proxy without a server behind it', 502, 'away', 'at its daily test the website did not answer'],
])('%s is a failure', async (_what, status, alarm, problem) => {
  const url = await listen((_request, response) => response.writeHead(status, { location: '/' }).end());
  expect(await failTwice(await prepareCanary({ url: () => url }), alarm)).toContain(problem);
});

test('a page without a form is a failure', async () => {
  const prepared = await prepareCanary();
  const marks = createCanaryMarks(testSecret, () => new Date());
  const url = await listen((request, response) =>
    response.setHeader('x-awhina-canary', marks.signResponse(request.headers) ?? '').end('<h1>Broken</h1>'),
  );
  const broken = await prepareCanary({ url: () => url, store: prepared.store });
  expect(await failTwice(broken)).toBe('the form is not on its page');
});

test('a bot check that refuses the canary is a failure', async () => {
  const check = createAltcha(testSecret);
  const botCheck = { ...check, verify: async () => ({ ok: false, reason: 'forged' }) as const };
  const prepared = await prepareCanary({ app: { botCheck } });
  expect(await failTwice(prepared)).toBe('the form was not taken: BOT_CHECK_FAILED');
});

test('a canary that got a receipt and was not stored is reported at once, and not sent again that day', async () => {
  const submitForm: AppParts['submitForm'] = async () => ({
    ok: true,
    receipt: { reference: 'AAAA-AAAA', receivedAt: new Date().toISOString() },
  });
  const { canary, runDue, told, pass } = await prepareCanary({ app: { submitForm } });
  await runDue();
  // Whoever took it for a person's may have mailed it to staff: they hear why, and get no second one today.
  const problem = await canary.findProblem();
  expect(problem).toContain('it got a receipt and was not kept');
  expect(told).toEqual([`canary: ${problem}`]);
  pass(60 * minutes);
  await runDue();
  expect(told).toHaveLength(1);
  pass(24 * 60 * minutes);
  await runDue();
  expect(told).toHaveLength(2);
});

test('a person’s request with a stolen or forged mark is a request like any other', async () => {
  const { app, store, smtp } = await prepareCanary();
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
  await expect.poll(() => smtp.accepted.map(({ to }) => to[0])).toEqual(Array(3).fill('help@trust.example'));
});
