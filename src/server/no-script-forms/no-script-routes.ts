import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readAnswers, toEntries } from '../../model/answers.ts';
import { meaningsOf } from '../../model/choice-meanings.ts';
import { type FormName, formNames } from '../../model/form-field.ts';
import { findNextStep } from '../../model/next-step.ts';
import { noScriptFields } from '../../model/no-script-fields.ts';
import type { ErrorCode } from '../../model/operations.ts';
import type { Posted } from '../../model/page-data.ts';
import { asText } from '../../model/phrase.ts';
import { routes } from '../../model/routes.ts';
import type { Site } from '../../model/site.ts';
import { fillFrom } from '../../model/site-words.ts';
import type { ContentSource } from '../content/content-source.ts';
import { findLanguageTag, findTranslation } from '../content/languages/shown-languages.ts';
import type { TranslatedContent } from '../content/languages/translated-content.ts';
import { maxPostBytes } from '../http/client-limits.ts';
import { createFairSlots, type FairSlots } from '../http/fair-slots.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import { sendOnce } from '../pages/compressed-file.ts';
import type { Pages } from '../pages/pages.ts';
import { languageRoute } from '../pages/render-pages.ts';
import type { ClientQuota } from '../submissions/quota.ts';
import type { SubmitForm, SubmitOutcome } from '../submissions/submit.ts';
import type { NoScriptPosts } from './no-script-posts.ts';

/** More fields and choices than any form has, and few enough to parse quickly. */
const fieldLimit = 1_000;
/** Characters. A signed time is shorter. */
const maxTimeLength = 64;
const formType = 'application/x-www-form-urlencoded';
/**
 * React renders a page for each post, in 3 to 40 ms, and Node accepts one connection in each iteration of its event loop:
 * with one page in each, a new visitor waits for one page and not for all.
 */
const renderedAtOnce = 1;

const statuses: Record<ErrorCode, number> = {
  BAD_ANSWERS: 422,
  BOT_CHECK_FAILED: 403,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};
/** A form whose token is refused for one of these is treated as a form without a script. */
const tokenRefusals: readonly ErrorCode[] = ['BOT_CHECK_FAILED', 'RATE_LIMITED'];

interface NoScriptFormParts {
  content: ContentSource;
  pages: Pages;
  submitForm: SubmitForm;
  noScriptPosts: NoScriptPosts;
  metrics?: Pick<MetricsSink, 'onRefused'> | undefined;
  quotaOf: (request: FastifyRequest) => ClientQuota;
  /** The same name for all requests of one client. */
  clientOf: (request: FastifyRequest) => string;
  publicUrl: string | undefined;
  previewLanguages: readonly string[];
}

/** The forms as browsers post them without a script: before the script is loaded, and where it never is. */
export async function registerNoScriptForms(app: FastifyInstance, parts: NoScriptFormParts): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: maxPostBytes } as const;
    scope.addContentTypeParser(formType, options, (_request, body, done) =>
      done(null, parsePosted(String(body))),
    );
    const slots = createFairSlots(renderedAtOnce);
    for (const name of formNames) {
      const respond = createRespond(parts, name, slots);
      // A body that is too long or of another type, or any error: still a page that says how else to reach the trust.
      const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
        const status = error.statusCode ?? 500;
        if (status >= 500) request.log.error({ event: 'request failed', err: error });
        return respond(request, reply, { status: 'failed', answers: {} }, status);
      };
      const { path } = routes[name];
      // In any language, also one that is not shown any more: what was typed must arrive.
      for (const route of [path, languageRoute + path])
        scope.post(route, { errorHandler }, (request, reply) => submit(parts, name, request, reply, respond));
    }
  });
}

/** The translation in which the visitor reads the page; null for the original. */
function translationOf(
  request: FastifyRequest,
  { content, previewLanguages }: NoScriptFormParts,
): TranslatedContent | null {
  return findTranslation(content.current(), previewLanguages, languageOf(request));
}

/** The first part of the path, where there are two. */
const languageOf = (request: FastifyRequest) => (request.params as { language?: string }).language;

type Respond = (
  request: FastifyRequest,
  reply: FastifyReply,
  posted: Posted,
  status: number,
) => Promise<FastifyReply>;

/** Responds with the page of the form, rendered for this visitor alone. */
function createRespond(parts: NoScriptFormParts, name: FormName, slots: FairSlots): Respond {
  const { pages, content, clientOf } = parts;
  return async (request, reply, posted, status) => {
    // The slot is taken after the form was stored, so neither a slow body nor a slow disk occupies one.
    const freeSlot = await slots.enter(clientOf(request), reply.raw);
    if (!freeSlot) return reply.hijack();
    const given = (request.body as URLSearchParams | undefined)?.get(noScriptFields.sentOut) ?? '';
    // The new page has the signed time of the first: a form that was stored, and whose receipt was lost, is known when it
    // is sent again from there.
    const sentOut = given.slice(0, maxTimeLength) || null;
    reply.code(status);
    const translation = translationOf(request, parts);
    const languages = translation ? [translation.language.tag, null] : [null];
    try {
      for (const language of languages) {
        try {
          const { html, headers } = await pages.renderPosted(name, posted, sentOut, language);
          return await sendOnce(request, reply.headers(headers), html, 'text/html; charset=utf-8');
        } catch (err) {
          request.log.error({ event: 'response not rendered', err });
        }
      }
      // The form may be stored, and its sender must learn that even where no page can be rendered.
      const text = describeOutcome((translation ?? content.current()).site, posted);
      return await sendOnce(request, reply, text, 'text/plain; charset=utf-8');
    } finally {
      freeSlot();
    }
  };
}

function describeOutcome(site: Site, posted: Posted): string {
  const { form, alternativeContact, away } = site;
  const phrase =
    posted.status === 'sent'
      ? `${form.snackbar} ${form.referenceLabel} ${posted.receipt.reference}`
      : `${away.notSent.heading}. ${alternativeContact.sent}`;
  return asText(fillFrom(site, phrase));
}

async function submit(
  parts: NoScriptFormParts,
  name: FormName,
  request: FastifyRequest,
  reply: FastifyReply,
  respond: Respond,
): Promise<FastifyReply> {
  const { content, submitForm, noScriptPosts, metrics, quotaOf, publicUrl } = parts;
  const form = content.current().forms[name];
  // A request without a body is not parsed.
  const values = (request.body ?? new URLSearchParams()) as URLSearchParams;
  const answers = readAnswers(values, form.definition);
  const isOurs = isSameOrigin(request.headers, publicUrl);
  const switchTo = values.get(noScriptFields.switchTo);
  if (switchTo !== null) {
    // A person who does not understand why the form was not sent chooses another language.
    const status = switchTo === 'failed' ? 'failed' : 'switched';
    return respond(request, reply, { status, answers: isOurs ? answers : {} }, 200);
  }
  // The page that is sent back has all that was typed, so a person can send the form from there.
  if (!isOurs) return respond(request, reply, { status: 'failed', answers }, 403);

  const quota = quotaOf(request);
  const entries = toEntries(form.definition, answers);
  const read = translationOf(request, parts);
  const tag = findLanguageTag(content.current(), languageOf(request));
  const translation = tag === null ? null : { tag, form: read?.forms[name] ?? form };
  const submitWithoutToken = () =>
    submitForm(form, entries, noScriptPosts.examine(name, entries, values), quota, translation);
  const token = values.get(noScriptFields.token);
  let outcome: SubmitOutcome;
  if (token) {
    outcome = await submitForm(form, entries, token, quota, translation);
    if (!outcome.ok && tokenRefusals.includes(outcome.code)) outcome = await submitWithoutToken();
  } else outcome = await submitWithoutToken();

  if (outcome.ok) {
    const next = findNextStep(meaningsOf(form.definition), answers);
    return respond(request, reply, { status: 'sent', receipt: outcome.receipt, next }, 200);
  }
  const { code, problem, retryAfterSeconds } = outcome;
  metrics?.onRefused(name, code);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (problem) return respond(request, reply, { status: 'invalid', answers, problem }, statuses[code]);
  return respond(request, reply, { status: 'failed', answers }, statuses[code]);
}

/** Ignores what follows the first `fieldLimit` fields. */
function parsePosted(body: string): URLSearchParams {
  let end = -1;
  for (let count = 0; count < fieldLimit; count++) {
    end = body.indexOf('&', end + 1);
    if (end === -1) return new URLSearchParams(body);
  }
  return new URLSearchParams(body.slice(0, end));
}
