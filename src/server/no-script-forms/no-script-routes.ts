import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readAnswers, toEntries } from '../../model/answers.ts';
import { meaningsOf } from '../../model/choice-meanings.ts';
import { type FormName, formNames } from '../../model/form-field.ts';
import { findNextStep } from '../../model/next-step.ts';
import { noScriptFields } from '../../model/no-script-fields.ts';
import type { ErrorCode } from '../../model/operations.ts';
import type { Posted } from '../../model/page-data.ts';
import { fillFrom } from '../../model/page-title.ts';
import { asText } from '../../model/phrase.ts';
import { routes } from '../../model/routes.ts';
import type { Site } from '../../model/site.ts';
import type { ContentSource } from '../content/content-source.ts';
import { longestPost } from '../http/client-limits.ts';
import { createFairSlots, type FairSlots } from '../http/fair-slots.ts';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import { sendOnce } from '../pages/compressed-file.ts';
import type { Pages } from '../pages/pages.ts';
import type { ClientQuota } from '../submissions/quota.ts';
import type { SubmitForm, SubmitOutcome } from '../submissions/submit.ts';
import type { NoScriptPosts } from './no-script-posts.ts';
import { isFromHere } from './same-origin.ts';

/** More than any form has fields and choices, and few enough to read at once. */
const fieldLimit = 1_000;
/** A time that we signed is shorter. */
const longestTime = 64;
const posts = 'application/x-www-form-urlencoded';
/**
 * React renders a page for each, for 3 ms and up to 40, and Node accepts one connection in each turn of its loop: with
 * one page a turn, whoever comes meanwhile waits for one of them and not for all.
 */
const renderedAtOnce = 1;

const statuses: Record<ErrorCode, number> = {
  BAD_ANSWERS: 422,
  BOT_CHECK_FAILED: 403,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};
/** The script's token has grown old, or was never one: the form is then taken as one without a script. */
const tokenRefused: readonly ErrorCode[] = ['BOT_CHECK_FAILED', 'RATE_LIMITED'];

export interface NoScriptFormParts {
  content: ContentSource;
  pages: Pages;
  submitForm: SubmitForm;
  noScriptPosts: NoScriptPosts;
  metrics?: Pick<MetricsSink, 'onRefused'> | undefined;
  quotaOf: (request: FastifyRequest) => ClientQuota;
  /** Which requests are one client's. */
  clientOf: (request: FastifyRequest) => string;
  publicUrl?: string | undefined;
}

/** The two forms as the browser sends them by itself: before the script is there, and where it never comes. */
export async function registerNoScriptForms(app: FastifyInstance, parts: NoScriptFormParts): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(posts, { parseAs: 'string', bodyLimit: longestPost }, (_request, body, done) =>
      done(null, readPosted(String(body))),
    );
    const places = createFairSlots(renderedAtOnce);
    for (const name of formNames) {
      const answer = createAnswer(parts, name, places);
      const options = {
        errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
          answerBroken(error, request, reply, answer),
      };
      scope.post(routes[name].path, options, (request, reply) => take(parts, name, request, reply, answer));
    }
  });
}

type AnswerWith = (
  request: FastifyRequest,
  reply: FastifyReply,
  posted: Posted,
  status: number,
) => Promise<FastifyReply>;

function createAnswer(
  { pages, content, clientOf }: NoScriptFormParts,
  name: FormName,
  places: FairSlots,
): AnswerWith {
  return async (request, reply, posted, status) => {
    // Only now: the form is kept by then, and neither a slow body nor a slow disk holds a place.
    const leave = await places.enter(clientOf(request), reply.raw);
    if (!leave) return reply.hijack();
    const given = (request.body as URLSearchParams | undefined)?.get(noScriptFields.sentOut) ?? '';
    // The form's own time goes out again: whoever mends one word and sends it at once is not too quick.
    const sentOut = given.slice(0, longestTime) || null;
    reply.code(status);
    try {
      const { html, headers } = await pages.answer(name, posted, sentOut);
      return sendOnce(request, reply.headers(headers), html, 'text/html; charset=utf-8');
    } catch (err) {
      // It may be kept by now, and whoever sent it must hear of that without a page too.
      request.log.error({ event: 'answer not rendered', err });
      return sendOnce(request, reply, inWords(content.current().site, posted), 'text/plain; charset=utf-8');
    } finally {
      leave();
    }
  };
}

function inWords(site: Site, posted: Posted): string {
  const { form, alternativeContact, away } = site;
  const phrase =
    posted.status === 'sent'
      ? `${form.snackbar} ${form.referenceLabel} ${posted.receipt.reference}`
      : `${away.notSent.heading}. ${alternativeContact.sent}`;
  return asText(fillFrom(site, phrase));
}

async function take(
  { content, submitForm, noScriptPosts, metrics, quotaOf, publicUrl }: NoScriptFormParts,
  name: FormName,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AnswerWith,
): Promise<FastifyReply> {
  const form = content.current().forms[name];
  // A post without a body has none of any kind.
  const values = (request.body ?? new URLSearchParams()) as URLSearchParams;
  const answers = readAnswers(values, form.definition);
  // Shown with all that was in it, and from our own page it can be sent.
  if (!isFromHere(request.headers, publicUrl))
    return answer(request, reply, { status: 'failed', answers }, 403);

  const quota = quotaOf(request);
  const entries = toEntries(form.definition, answers);
  const submitPlain = () => submitForm(form, entries, noScriptPosts.examine(name, entries, values), quota);
  const token = values.get(noScriptFields.token);
  let outcome: SubmitOutcome;
  if (token) {
    outcome = await submitForm(form, entries, token, quota);
    if (!outcome.ok && tokenRefused.includes(outcome.code)) outcome = await submitPlain();
  } else outcome = await submitPlain();

  if (outcome.ok) {
    const next = findNextStep(meaningsOf(form.definition), answers);
    return answer(request, reply, { status: 'sent', receipt: outcome.receipt, next }, 200);
  }
  const { code, problem, retryAfterSeconds } = outcome;
  metrics?.onRefused(name, code);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (problem) return answer(request, reply, { status: 'invalid', answers, problem }, statuses[code]);
  return answer(request, reply, { status: 'failed', answers }, statuses[code]);
}

/** A body that is too long or of another kind, or anything unforeseen: still a page that says how else to reach us. */
function answerBroken(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AnswerWith,
): Promise<FastifyReply> {
  const status = error.statusCode ?? 500;
  if (status >= 500) request.log.error({ event: 'request failed', err: error });
  return answer(request, reply, { status: 'failed', answers: {} }, status);
}

function readPosted(body: string): URLSearchParams {
  let end = -1;
  for (let count = 0; count < fieldLimit; count++) {
    end = body.indexOf('&', end + 1);
    if (end === -1) return new URLSearchParams(body);
  }
  return new URLSearchParams(body.slice(0, end));
}
