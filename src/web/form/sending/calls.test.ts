import { afterEach, expect, test, vi } from 'vitest';
import { fetchDefinition, postSubmission } from './calls.ts';

const receipt = { reference: 'ABCD-1234', receivedAt: '2026-01-01T00:00:00.000Z' };

interface Call {
  address: string;
  options: RequestInit & { body: string };
}

/** Stands for the network; what was asked is noted. */
function answer(reply: (call: Call) => Promise<Response>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (address: string, options: Call['options']) => {
    calls.push({ address, options });
    return reply({ address, options });
  });
  return calls;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a submission is one post of operation name, variables and document, which outlives the page', async () => {
  const calls = answer(async () => Response.json({ data: { submitHelpRequest: receipt } }));
  const fields = [{ key: 'FirstName', value: 'Sample' }];
  expect(await postSubmission('help', fields, 'token', 'mi', 1_000)).toEqual({ ok: true, receipt });
  expect(calls.map(({ address }) => address)).toEqual(['/graphql']);
  const { method, keepalive, body } = calls[0]?.options ?? { body: '' };
  expect({ method, keepalive }).toEqual({ method: 'POST', keepalive: true });
  expect(JSON.parse(body)).toEqual({
    operationName: 'submitHelpRequest',
    query: expect.stringContaining('mutation submitHelpRequest('),
    variables: { fields, recaptchaToken: 'token', language: 'mi' },
  });
});

test('a submission too long for keepalive is still sent', async () => {
  const calls = answer(async () => Response.json({ data: { submitHelpRequest: receipt } }));
  const fields = [{ key: 'Message', value: 'x'.repeat(20_000) }];
  expect(await postSubmission('help', fields, 'token', 'mi', 1_000)).toMatchObject({ ok: true });
  expect(calls[0]?.options.keepalive).toBe(false);
});

test.each<[string, () => Promise<Response>, string | null]>([
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'UNREACHABLE'],
  ['an answer that breaks off', async () => new Response(brokenOff()), 'UNREACHABLE'],
  [
    "a proxy's word that the site is down",
    async () => new Response('<p>Bad', { status: 502 }),
    'UNREACHABLE',
  ],
  ['a limit that is not ours', async () => new Response('Slow down', { status: 429 }), 'UNREACHABLE'],
  ['an address that is gone', async () => Response.json({ error: 'no' }, { status: 404 }), 'PERMANENT'],
  ['a page in place of an answer', async () => new Response('<p>Welcome'), 'PERMANENT'],
  ['an answer with a code', async () => refused({ code: 'BAD_ANSWERS' }, 400), 'BAD_ANSWERS'],
  ['a limit of ours', async () => refused({ code: 'RATE_LIMITED' }, 429), 'RATE_LIMITED'],
  ['a masked error', async () => refused(undefined, 200), null],
])('%s has its own code', async (_what, reply, code) => {
  answer(reply);
  expect(await postSubmission('contact', [], 'token', null, 1_000)).toMatchObject({ ok: false, code });
});

const refused = (extensions: object | undefined, status: number) =>
  Response.json({ data: null, errors: [{ message: 'No', extensions }] }, { status });

const brokenOff = () =>
  new ReadableStream({
    start: (controller) => controller.error(new TypeError('network error')),
  });

test.each([
  ['20 s', 60_000, 20_000],
  ['what time is left, where that is less', 5_000, 5_000],
])('a reply is waited for %s', async (_what, remainingMs, boundMs) => {
  vi.useFakeTimers();
  const calls = answer(() => new Promise(() => {}));
  const ended = vi.fn<() => void>();
  const posting = postSubmission('contact', [], 'token', null, remainingMs);
  void posting.then(ended);
  await vi.advanceTimersByTimeAsync(boundMs - 1);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await posting).toMatchObject({ ok: false, code: 'UNREACHABLE' });
  expect(calls[0]?.options.signal?.aborted).toBe(true);
});

test('a definition is returned as the server sent it, or the call fails', async () => {
  const definition = [{ key: 'Name' }];
  answer(async () => Response.json({ data: { getContactForm: definition } }));
  expect(await fetchDefinition('contact', null, 60_000)).toEqual(definition);
  answer(async () => refused(undefined, 200));
  await expect(fetchDefinition('contact', null, 60_000)).rejects.toThrow('No');
});
