import { formQueries, submitMutations } from '../../src/model/operations.ts';
import { sampleEntries, withAnswer } from '../../test/support/forms.ts';
import { mintToken, solve } from '../../test/support/tokens.ts';
import { type Answer, type LeanConnection, wireRequest } from '../lean-client.ts';

/** What people and their browsers do in a soak. Each visit rejects where it was not answered as it should be. */

export interface Visits {
  /** How many of them come at the same time. */
  atOnce: number;
  /** Between two visits. Together they leave the server some rest: a loop that is never idle tells nothing. */
  pauseMs: number;
  visit(connection: LeanConnection): Promise<void>;
}

const json = { 'Content-Type': 'application/json' };
const paths = ['/', '/help', '/contact'];
const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;
/** As `createReference` writes them. */
const referencePattern = /\b[34679CDFHJKPQRTWXY]{4}-[34679CDFHJKPQRTWXY]{4}\b/;

export function right(answer: Answer, ...statuses: number[]): Answer {
  if (!statuses.includes(answer.status)) throw new Error(`${answer.status}`);
  return answer;
}

export function submission(recaptchaToken: string): string {
  const variables = { fields: sampleEntries.help, recaptchaToken };
  return wireRequest('POST', '/graphql', json, JSON.stringify({ query: submitMutations.help, variables }));
}

export function readReference(answer: Answer): string {
  const text = right(answer, 200).body.toString();
  const [reference] = referencePattern.exec(text) ?? [];
  if (reference) return reference;
  throw new Error(`no receipt but ${/"code":"\w+"/.exec(text)?.[0] ?? 'none of our errors'}`);
}

/** `keep` hears of every request that was acknowledged. */
export async function createVisits(
  url: string,
  keep: (reference: string) => void,
): Promise<Record<string, Visits>> {
  const pages = await Promise.all(paths.map(async (path) => (await fetch(url + path)).text()));
  const linked = (pattern: RegExp) => [...new Set(pages.flatMap((page) => page.match(pattern) ?? []))];
  const pictures = linked(/\/photos\/[\w./@-]+\.(?:avif|webp|jpe?g)/g);
  const assets = linked(/\/assets\/[\w./-]+\.(?:js|css|woff2)/g);
  if (pictures.length === 0 || assets.length === 0) throw new Error('The pages link to nothing');

  const get = (path: string, headers: Record<string, string> = {}) =>
    wireRequest('GET', path, { 'Accept-Encoding': 'br', ...headers });
  /** What each page was when it was last seen. */
  const seen = new Map<string, string>();
  let posts = 0;

  return {
    pages: {
      ...{ atOnce: 8, pauseMs: 40 },
      visit: async ({ ask }) => void right(await ask(get(pick(paths))), 200),
    },
    'pages again': {
      ...{ atOnce: 4, pauseMs: 40 },
      async visit({ ask }) {
        const path = pick(['/help', '/contact']);
        const answer = await ask(get(path, { 'If-None-Match': seen.get(path) ?? '"none"' }));
        right(answer, 200, 304);
        seen.set(path, /\r\netag: (\S+)/i.exec(answer.head)?.[1] ?? '');
      },
    },
    pictures: {
      ...{ atOnce: 4, pauseMs: 40 },
      visit: async ({ ask }) => void right(await ask(get(pick(pictures))), 200),
    },
    scripts: {
      ...{ atOnce: 4, pauseMs: 40 },
      visit: async ({ ask }) => void right(await ask(get(pick(assets))), 200),
    },
    queries: {
      ...{ atOnce: 6, pauseMs: 40 },
      async visit({ ask }) {
        const query = pick(Object.values(formQueries));
        const answer = await ask(wireRequest('POST', '/graphql', json, JSON.stringify({ query })));
        if (!right(answer, 200).body.includes('"displayName"')) throw new Error('no questions');
      },
    },
    submissions: {
      ...{ atOnce: 4, pauseMs: 60 },
      async visit({ ask }) {
        const token = await mintToken();
        const reference = readReference(await ask(submission(token)));
        keep(reference);
        // As after a reply that was lost.
        if (Math.random() < 0.1 && readReference(await ask(submission(token))) !== reference)
          throw new Error('sent again, another receipt');
      },
    },
    'plain posts': {
      ...{ atOnce: 2, pauseMs: 200 },
      async visit({ ask }) {
        // The same words again would be the same request.
        const message = `Kia ora, this is sample ${posts++} of ${process.pid}.`;
        const entries = withAnswer(sampleEntries.contact, 'Message', message);
        const body = new URLSearchParams(entries.map(({ key, value }) => [key, String(value)])).toString();
        const headers = {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Sec-Fetch-Site': 'same-origin',
        };
        keep(readReference(await ask(wireRequest('POST', '/contact', headers, body))));
      },
    },
    challenges: {
      ...{ atOnce: 2, pauseMs: 100 },
      visit: async ({ ask }) => void right(await ask(get('/bot-check/challenge')), 200),
    },
    'solved challenges': {
      ...{ atOnce: 1, pauseMs: 2_000 },
      async visit({ ask }) {
        const { body } = right(await ask(wireRequest('GET', '/bot-check/challenge', {})), 200);
        keep(readReference(await ask(submission(await solve(JSON.parse(body.toString()))))));
      },
    },
  };
}
