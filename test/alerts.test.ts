import { expect, onTestFinished, test, vi } from 'vitest';
import { startReceiver } from './support/alert-receiver.ts';
import { awhinaShared } from './support/command.ts';
import { sampleEntries, withAnswer } from './support/forms.ts';
import { freePort } from './support/free-port.ts';
import { mailTo, startScriptedSmtp } from './support/scripted-smtp.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from './support/visitor.ts';

const urgently = withAnswer(sampleEntries.help, 'SupportNeeded', ['Feeling unsafe at home']);

test('a server alerts for an urgent request alone, and a receiver that hangs delays neither mail nor the end', async () => {
  const smtp = await startScriptedSmtp();
  const receiver = await startReceiver(() => {});
  const server = await startServer({
    DATA_DIR: temporaryFolder(),
    ...trustTheVisitor,
    ...mailTo(smtp.port),
    ALERT_URL: receiver.url,
    ALERT_HEADERS: 'Authorization: Bearer tk_secret',
  });
  onTestFinished(async () => {
    await server.end('SIGKILL');
    await smtp.close();
  });
  await send(server.url, 'help', sampleEntries.help, await mintToken());
  const receipt = await send(server.url, 'help', urgently, await mintToken());
  if (!isReceipt(receipt)) throw new Error(receipt);
  await vi.waitFor(() => expect(smtp.accepted).toHaveLength(2), 20_000);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 20_000);
  expect(JSON.parse(receiver.texts()[0] ?? '')).toEqual({
    reference: receipt.reference,
    urgent: true,
    text: `An urgent request came in: ${receipt.reference}`,
  });
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.lines.join('\n')).not.toMatch(/secret/);
});

test('test-alert says what the receiver got, and shows neither its address nor the headers', async () => {
  const receiver = await startReceiver();
  const env = { ALERT_URL: receiver.url, ALERT_HEADERS: 'Authorization: Bearer tk_secret' };
  const { code, out, err } = await awhinaShared(['test-alert'], env);
  expect([code, err]).toEqual([0, '']);
  expect(out.match(/^✓ /gm)).toHaveLength(3);
  expect(out).toContain(receiver.texts()[0] ?? 'nothing');
  expect(JSON.parse(receiver.texts()[0] ?? '')).toMatchObject({ reference: 'TEST', urgent: true });
  expect(out).not.toMatch(/secret|127\.0\.0\.1/);
});

test.each([
  ['a token that is not right', 401, /^✗ Answer: HTTP 401\n {4}.*ALERT_HEADERS/m],
  ['a redirect', 302, /^✗ Answer: HTTP 302\n {4}.*does not follow/m],
  ['another kind of body', 415, /^✗ Answer: HTTP 415\n {4}.*ALERT_BODY/m],
])('test-alert says what to do about %s', async (_what, status, advice) => {
  const receiver = await startReceiver((response) => response.writeHead(status).end('secret words'));
  const { code, out } = await awhinaShared(['test-alert'], { ALERT_URL: receiver.url });
  expect(code).toBe(1);
  expect(out).toMatch(advice);
  expect(out).not.toContain('secret');
});

test('test-alert fails where nobody answers, and where there is no ALERT_URL', async () => {
  const ALERT_URL = `http://127.0.0.1:${await freePort()}/secret-topic`;
  const closed = await awhinaShared(['test-alert'], { ALERT_URL });
  expect(closed.code).toBe(1);
  expect(closed.out).toMatch(
    /✓ Name: .*\n✗ Connection: ECONNREFUSED\n {4}Nobody answers there.*\n– Answer: not tried/,
  );
  expect(closed.out).not.toContain('secret');
  const json = await awhinaShared(['test-alert', '--json'], { ALERT_URL });
  expect(JSON.parse(json.out)).toMatchObject({
    ok: false,
    steps: [{ ok: true }, { ok: false }, { ok: null }],
  });
  const off = await awhinaShared(['test-alert']);
  expect([off.code, off.out]).toEqual([1, expect.stringContaining('ALERT_URL is not set')]);
  expect((await awhinaShared(['test-alert', '--to', 'me'])).code).toBe(2);
});
