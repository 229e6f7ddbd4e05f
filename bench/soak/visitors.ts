import { formQueries, submitMutations } from '../../src/model/operations.ts';
import { sampleEntries, withAnswer } from '../../test/support/forms.ts';
import { mintToken, solve } from '../../test/support/tokens.ts';
import { anyAddress } from '../../test/support/visitor.ts';
import type { Clients } from './traffic.ts';

/** What people and their browsers request in a soak. */

const paths = ['/', '/help', '/contact'];
const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;
/** The alphabet of `createReference`. */
const referencePattern = /\b[34679CDFHJKPQRTWXY]{4}-[34679CDFHJKPQRTWXY]{4}\b/;

/** Sends a request from a new client address, and rejects unless its status is one of those expected. */
export async function request(
  url: string,
  { headers, expected = [200], ...options }: RequestInit & { expected?: number[] } = {},
) {
  const response = await fetch(url, { ...options, headers: { 'x-forwarded-for': anyAddress(), ...headers } });
  const text = await response.text();
  if (!expected.includes(response.status)) throw new Error(`status ${response.status}`);
  return { text, headers: response.headers };
}

export function post(query: string, variables: object = {}) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  };
}

export const submission = (recaptchaToken: string) =>
  post(submitMutations.help, { fields: sampleEntries.help, recaptchaToken });

export function readReference({ text }: { text: string }): string {
  const [reference] = referencePattern.exec(text) ?? [];
  if (reference) return reference;
  throw new Error(`no receipt, ${/"code":"\w+"/.exec(text)?.[0] ?? 'and no error code'}`);
}

/** The references of all receipts are added to `acknowledged`. */
export async function createVisitors(url: string, acknowledged: string[]): Promise<Record<string, Clients>> {
  const pages = await Promise.all(paths.map(async (path) => (await request(url + path)).text));
  const linked = (pattern: RegExp) => [...new Set(pages.flatMap((page) => page.match(pattern) ?? []))];
  const pictures = linked(/\/photos\/[\w./@-]+\.(?:avif|webp|jpe?g)/g);
  const assets = linked(/\/assets\/[\w./-]+\.(?:js|css|woff2)/g);
  if (pictures.length === 0 || assets.length === 0) throw new Error('The pages link to nothing');
  const getOneOf = (all: readonly string[]) => async () => void (await request(url + pick(all)));
  const etags = new Map<string, string>();
  let posts = 0;

  return {
    pages: { count: 8, pauseMs: 40, visit: getOneOf(paths) },
    pictures: { count: 4, pauseMs: 40, visit: getOneOf(pictures) },
    scripts: { count: 4, pauseMs: 40, visit: getOneOf(assets) },
    challenges: { count: 2, pauseMs: 100, visit: getOneOf(['/bot-check/challenge']) },
    'cached pages': {
      ...{ count: 4, pauseMs: 40 },
      async visit() {
        const path = pick(['/help', '/contact']);
        const headers = { 'if-none-match': etags.get(path) ?? '"none"' };
        const response = await request(url + path, { headers, expected: [200, 304] });
        etags.set(path, response.headers.get('etag') ?? '');
      },
    },
    queries: {
      ...{ count: 6, pauseMs: 40 },
      async visit() {
        const { text } = await request(`${url}/graphql`, post(pick(Object.values(formQueries))));
        if (!text.includes('"displayName"')) throw new Error('no questions');
      },
    },
    submissions: {
      ...{ count: 4, pauseMs: 60 },
      async visit() {
        const token = await mintToken();
        const send = async () => readReference(await request(`${url}/graphql`, submission(token)));
        const reference = await send();
        acknowledged.push(reference);
        // A resend, as after a response that was lost.
        if (Math.random() < 0.1 && (await send()) !== reference)
          throw new Error('another receipt for a resend');
      },
    },
    'submissions without a script': {
      ...{ count: 2, pauseMs: 200 },
      async visit() {
        // The same answers within an hour would be the same request.
        const message = `Kia ora, this is sample ${posts++} of ${process.pid}.`;
        const entries = withAnswer(sampleEntries.contact, 'Message', message);
        const body = new URLSearchParams(entries.map(({ key, value }) => [key, String(value)]));
        const headers = { 'sec-fetch-site': 'same-origin' };
        acknowledged.push(readReference(await request(`${url}/contact`, { method: 'POST', headers, body })));
      },
    },
    'solved challenges': {
      ...{ count: 1, pauseMs: 2_000 },
      async visit() {
        const challenge = JSON.parse((await request(`${url}/bot-check/challenge`)).text);
        acknowledged.push(readReference(await request(`${url}/graphql`, submission(await solve(challenge)))));
      },
    },
  };
}
