import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type Answers, type Entry, toEntries } from '../../model/answers.ts';
import type { Definition } from '../../model/form-field.ts';
import { forms as formEntries } from '../../model/forms.ts';
import { type Receipt, submitMutations } from '../../model/operations.ts';
import { type PageData, pageDataId } from '../../model/page-data.ts';
import { serverBehaviourOf } from '../../model/server-field-types.ts';
import { canaryForm } from '../../model/server-forms.ts';
import { readBounded } from '../files/read-bounded.ts';
import { connectionProblem } from '../hardening/call-secret-url.ts';
import { type CanaryMarks, markHeader } from './canary-mark.ts';

/** For one response. A browser waits about as long. */
const responseMs = 20_000;
/** Several times the longest page. */
const mostBytes = 4 * 1024 * 1024;

/** What failed, in words that anyone may read: /health/deliveries shows them. Never an address. */
export class CanaryFailed extends Error {
  override name = 'CanaryFailed';
}

/** The website did not answer: visitors may see no page either. */
export class SiteAway extends CanaryFailed {
  override name = 'SiteAway';
  /** For the log only, such as ECONNREFUSED. */
  readonly code: string;
  constructor(code: string) {
    super(explainAway(code));
    this.code = code;
  }
}

/** The canary was taken for a person's request: another one would reach staff too. */
export class WentAstray extends CanaryFailed {
  override name = 'WentAstray';
}

/** The answer to the canary's questions, in case staff ever see a canary. */
const canaryMessage =
  'This is the daily test that the website sends to itself. Nobody wrote it, and nobody needs help.';

interface VisitParts {
  /** The address that visitors open. */
  url: string;
  marks: CanaryMarks;
  signal: AbortSignal;
}

/**
 * Sends a request as a visitor does: opens the page, solves the bot check, sends the form. Where only a browser passes the
 * bot check, the form is posted without a script. Resolves to the reference.
 *
 * @throws {CanaryFailed}
 */
export async function visitAsCanary({ url, marks, signal }: VisitParts): Promise<string> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(responseMs)]);
    try {
      const response = await fetch(`${url}${path}`, { ...init, redirect: 'manual', signal: bounded });
      const body = await readBounded(response, mostBytes);
      return { response, text: body?.toString('utf8') ?? '' };
    } catch (error) {
      throw new SiteAway(connectionProblem(error));
    }
  };

  const { mark, expectedResponse } = marks.markPageRequest();
  const { response, text } = await ask(formEntries[canaryForm].path, {
    headers: { [markHeader]: mark, 'cache-control': 'no-cache' },
  });
  if (response.status >= 300 && response.status < 400)
    throw new CanaryFailed('the website’s address leads on to another one, which CANARY_URL should name');
  // The proxy says that the server does not answer.
  if ([502, 503, 504].includes(response.status)) throw new SiteAway(`HTTP ${response.status}`);
  if (!response.ok) throw new CanaryFailed(`the form’s page was answered with ${response.status}`);
  // Checked before the form is sent: another website would take the canary for a person's request.
  if (response.headers.get(markHeader) !== expectedResponse)
    throw new CanaryFailed('something other than this website answers at its address');
  const { forms, botCheck } = readPageData(text);
  if (!forms?.[canaryForm] || !botCheck) throw new CanaryFailed('the form is not on its page');

  const entries = fillIn(forms[canaryForm], mark);
  const headers = { [markHeader]: marks.markAnswers(canaryForm, entries) };
  if (botCheck.kind !== 'altcha') return postWithoutScript(entries, headers, ask);

  const { text: challenge } = await ask(botCheck.challengePath);
  const { response: submitted, text: reply } = await ask('/graphql', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: submitMutations[canaryForm],
      variables: { fields: entries, recaptchaToken: await solve(challenge) },
    }),
  });
  const { data, errors } = parse<{ data?: Record<string, Receipt>; errors?: GraphqlError[] }>(reply) ?? {};
  const receipt = data?.[formEntries[canaryForm].operations.submit];
  if (receipt) return receipt.reference;
  throw new CanaryFailed(
    `the form was not taken: ${codeOf(errors) ?? `it was answered with ${submitted.status}`}`,
  );
}

/** In words for staff, to whom a code says nothing. */
function explainAway(code: string): string {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'the website’s address could not be found';
  if (/CERT|SIGNATURE|ALTNAME|^EPROTO$|^ERR_SSL/.test(code)) return 'the website’s certificate was not right';
  return 'the website did not answer';
}

interface GraphqlError {
  extensions?: { code?: unknown };
}
/** A code of ours. Any other text may be anybody's words. */
function codeOf(errors: GraphqlError[] | undefined): string | null {
  const code = errors?.[0]?.extensions?.code;
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : null;
}

async function postWithoutScript(
  entries: Entry[],
  headers: Record<string, string>,
  ask: (path: string, init: RequestInit) => Promise<{ response: Response; text: string }>,
): Promise<string> {
  const body = new URLSearchParams();
  for (const { key, value } of entries) {
    for (const one of [value].flat()) {
      if (typeof one === 'string') body.append(key, one);
      else if (one) body.append(key, 'on');
    }
  }
  const { response, text } = await ask(formEntries[canaryForm].path, { method: 'POST', headers, body });
  const { posted } = readPageData(text);
  if (posted?.status === 'sent') return posted.receipt.reference;
  throw new CanaryFailed(`the form was not taken: it was answered with ${response.status}`);
}

async function solve(text: string): Promise<string> {
  const challenge = parse<Challenge>(text);
  const solution = challenge && (await solveChallenge({ challenge, deriveKey }).catch(() => null));
  if (!solution) throw new CanaryFailed('the bot check could not be solved');
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** Unique answers: the same answers again would count as the same request. */
function fillIn(definition: Definition, unique: string): Entry[] {
  const answers: Answers = {};
  for (const field of definition) {
    const { isMessage, invent } = serverBehaviourOf(field);
    if (field.required || isMessage)
      answers[field.key] = invent(`${canaryMessage} (${unique.slice(-8)})`, field);
  }
  return toEntries(definition, answers);
}

/** The data that the page holds for the browser's script. */
function readPageData(html: string): Partial<PageData> {
  const opening = `id="${pageDataId}">`;
  const start = html.indexOf(opening);
  const end = html.indexOf('</script>', start);
  return (start >= 0 && parse<PageData>(html.slice(start + opening.length, end))) || {};
}

function parse<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
