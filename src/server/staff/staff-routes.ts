import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readStaffName } from '../../model/staff-name.ts';
import { type StaffMessage, type StaffView, staffFields } from '../../model/staff-page.ts';
import type { Content } from '../content/content.ts';
import type { Press } from '../delivery/letter/thread-mail.ts';
import { createFairSlots } from '../http/fair-slots.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import {
  type CompressedFile,
  chooseEncoding,
  compressFile,
  htmlType,
  sendOnce,
} from '../pages/compressed-file.ts';
import type { Pages } from '../pages/pages.ts';
import type { Archive } from '../store/contract/archive.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import type { FollowUpOutcome, FollowUpStep, FollowUps } from '../store/contract/follow-ups.ts';
import type { StoredSubmission } from '../store/contract/submission.ts';
import type { Times } from '../store/contract/times.ts';
import { createLetterPage } from './letter-page.ts';
import { isOwnPress, isSamePress, recordedStep } from './own-press.ts';
import { isTeamStep, outcomeParameter, readOutcome, readStep, readTime } from './press-fields.ts';
import type { StaffKeys, StaffPath } from './staff-key.ts';
import { composeStaffPage, describeRequest } from './staff-page.ts';
import { createTypedNames } from './typed-names.ts';

/** Bytes. A name and a button need 100. */
const bodyLimit = 2_048;
/** React renders a page for each visit. docs/decisions/0097 has the reason for one at a time. */
const renderedAtOnce = 1;
/** Characters of what was typed that are shown again. */
const maxTyped = 100;
/** A link in an old mail may be in many hands. Staff who undo an answer do so within days. */
const keyEndsAfterMs = 7 * 24 * 3_600_000;
/** The name of the id under which the name is that was typed. */
const typedParameter = 'as';

export interface StaffRoutesParts {
  pages: Pages;
  store: Pick<Archive, 'findSubmission'> & Pick<FollowUps, 'recordStep' | 'undoStep' | 'addChange'> & Times;
  staffKeys: StaffKeys;
  /** Tells the mailbox what was pressed, as far as it can. Returns at once. */
  mailPress?: ((submission: StoredSubmission, press: Press) => void) | undefined;
  clientOf: (request: FastifyRequest) => string;
  publicUrl: string | undefined;
  now: () => Date;
}

/**
 * The page behind the link in a mail. Reading it changes nothing, because mail scanners open links. Without the right key
 * every request gets the same response, before the database is asked: it tells nothing about whether a reference exists.
 */
export async function registerStaffPages(app: FastifyInstance, parts: StaffRoutesParts): Promise<void> {
  const { pages, store, staffKeys, mailPress, clientOf, publicUrl, now } = parts;
  const { content, renderer } = pages;
  const slots = createFairSlots(renderedAtOnce);
  const nothing = createNothing(pages);
  const typedNames = createTypedNames(now);

  const respond = async (request: FastifyRequest, reply: FastifyReply, status: number, view: StaffView) => {
    const freeSlot = await slots.enter(clientOf(request), reply.raw);
    if (!freeSlot) {
      reply.hijack();
      return;
    }
    try {
      const { html, headers } = await composeStaffPage(renderer, content.current(), view);
      await sendOnce(request, reply.code(status).headers(headers), html, htmlType);
    } finally {
      freeSlot();
    }
  };

  async function respondNothing(request: FastifyRequest, reply: FastifyReply) {
    const { file, headers } = await nothing();
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    reply.code(404).headers({ ...headers, vary: 'accept-encoding' });
    reply.type(file.type).send(file.bodies[encoding]);
  }

  const letters = createLetterPage({ ...parts, restOf, respond, respondNothing });

  /**
   * Responds by `act`, which is only called with a reference whose key was right. It resolves to false, and has not
   * responded, where there is no such request. Never to the reply: awaiting one gives undefined.
   */
  const withKey =
    (act: (path: StaffPath, request: FastifyRequest, reply: FastifyReply) => Promise<boolean>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const path = staffKeys.readPath(restOf(request));
      if (path === null) return respondNothing(request, reply);
      try {
        if (!(await act(path, request, reply))) await respondNothing(request, reply);
      } catch (err) {
        if (!(err instanceof StoreUnavailable)) throw err;
        request.log.warn({ event: 'staff page unavailable', err });
        reply.header('retry-after', 60);
        const isPress = request.method === 'POST';
        await respond(request, reply, 503, { kind: 'unavailable', reference: path.reference, isPress });
      }
    };

  /** Null where there is no such request, or its key has ended. */
  const find = async (reference: string): Promise<StoredSubmission | null> => {
    const found = await store.findSubmission(reference);
    return !found || found.canary || hasKeyEnded(found, now()) ? null : found;
  };

  const show = async (
    reference: string,
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    messageFor: (found: StoredSubmission) => StaffMessage | null,
    typed?: string,
  ) => {
    const found = await find(reference);
    if (!found) return false;
    const view = describeRequest(found, content.current().site, messageFor(found), typed);
    await respond(request, reply, status, view);
    return true;
  };

  const read = withKey(({ reference }, request, reply) =>
    show(
      ...([reference, request, reply, 200] as const),
      (found) => readOutcome(request, found),
      typedNames.take((request.query as Record<string, unknown>)[typedParameter]),
    ),
  );

  /** Redirects, so that loading the page again shows the state of then and presses nothing. */
  const redirect = (request: FastifyRequest, reply: FastifyReply, outcome: StaffMessage, name: string) => {
    const typed = name === '' ? '' : `&${typedParameter}=${typedNames.add(name)}`;
    reply
      .header('cache-control', 'no-store')
      .redirect(`/staff/${restOf(request)}?${outcomeParameter}=${outcome}${typed}`, 303);
    return true;
  };

  const press = withKey(async ({ reference, isForOthers }, request, reply) => {
    const posted = (request.body ?? new URLSearchParams()) as URLSearchParams;
    const typed = (posted.get(staffFields.name) ?? '').slice(0, maxTyped);
    const refuse = (status: number, message: StaffMessage) =>
      show(reference, request, reply, status, () => message, typed);
    if (!isSameOrigin(request.headers, publicUrl)) return refuse(403, 'refused');

    const found = await find(reference);
    if (!found) return false;
    const at = now();
    const tell = async (step: FollowUpStep, { changed, followUp }: FollowUpOutcome, isUndo: boolean) => {
      if (!isForOthers) await letters.recordPressOn(found);
      if (changed && isTeamStep(step)) mailPress?.(found, { step, isUndo, followUp, at });
    };

    const undo = readStep(posted.get(staffFields.undo));
    if (undo) {
      const since = readTime(posted.get(staffFields.since));
      if (!since) return refuse(400, 'refused');
      // An undo that is posted again must not undo what a colleague did meanwhile.
      const outcome = await store.undoStep(reference, undo, at, since, readStaffName(typed));
      if (!outcome) return false;
      await tell(undo, outcome, true);
      return redirect(request, reply, outcome.changed ? 'undone' : 'changed', typed);
    }

    const pressed = posted.get(staffFields.step);
    const step = readStep(pressed);
    if (!step && pressed !== 'unreached') return refuse(400, 'refused');
    const by = readStaffName(typed);
    if (by === null) return refuse(422, 'name');
    if (!step) {
      const last = found.changes?.findLast(({ said }) => said === 'unreached');
      const isAgain = last !== undefined && isSamePress(last, by, at);
      const outcome = isAgain || (await store.addChange(reference, { at, by, said: 'unreached' }));
      if (!outcome) return false;
      if (!isForOthers) await letters.recordPressOn(found);
      return redirect(request, reply, outcome === true || outcome.changed ? 'unreached' : 'many', typed);
    }
    const outcome = await store.recordStep(reference, step, by, at);
    if (!outcome) return false;
    await tell(step, outcome, false);
    if (isOwnPress(outcome, step, by, at)) return redirect(request, reply, step, typed);
    const isLate = recordedStep(outcome.followUp, step) !== null || step === 'taken';
    return redirect(request, reply, isLate ? 'late' : 'many', typed);
  });

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
    /** A body that is too long or of another type. */
    const onBadBody = (refuse: (status: number) => Handler) => ({
      errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
        const status = error.statusCode ?? 500;
        if (status >= 500) throw error;
        return refuse(status)(request, reply);
      },
    });
    const refuse = (status: number) =>
      withKey(({ reference }, request, reply) => show(reference, request, reply, status, () => 'refused'));
    scope.get('/staff/*', read);
    scope.post('/staff/*', onBadBody(refuse), press);
    scope.get('/staff/letter/*', letters.read);
    scope.post('/staff/letter/*', onBadBody(letters.refuse), letters.press);
  });
}

const restOf = (request: FastifyRequest) => (request.params as { '*': string })['*'];

/** What was delivered before follow-ups were recorded is called answered, by nobody. Its mail had no link. */
const hasKeyEnded = ({ followUp: { answeredBy, answeredAt } }: StoredSubmission, at: Date): boolean =>
  answeredAt !== null && (answeredBy === null || at.getTime() - answeredAt.getTime() > keyEndsAfterMs);

/** The page for everybody without a key, rendered and compressed once for each version of the content. */
function createNothing({ content, renderer }: Pages) {
  type Nothing = Promise<{ file: CompressedFile; headers: Record<string, string> }>;
  let cached: { of: Content; page: Nothing } | undefined;
  const render = async (of: Content) => {
    const { html, headers } = await composeStaffPage(renderer, of, { kind: 'nothing' });
    return { file: await compressFile(html, htmlType), headers };
  };
  return (): Nothing => {
    const of = content.current();
    if (cached?.of !== of) {
      cached = { of, page: render(of) };
      cached.page.catch(() => {
        cached = undefined;
      });
    }
    return cached.page;
  };
}
