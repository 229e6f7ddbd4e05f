import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StaffLetter, StaffView } from '../../model/staff-page.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { ignoreUnavailable, StoreUnavailable } from '../store/contract/errors.ts';
import type { StoredSubmission } from '../store/contract/submission.ts';
import { mailboxSign, type ReadLetter, signOf, type Times } from '../store/contract/times.ts';
import { addDays, nzDay } from '../time/nz-time.ts';
import type { StaffKeys } from './staff-key.ts';

/** Days. A press in an older letter does not show that anybody reads the mailbox now. */
const pressedWithin = 28;
const pressed = '?now=read';

export interface LetterPageParts {
  store: Times;
  staffKeys: StaffKeys;
  publicUrl: string | undefined;
  now: () => Date;
  restOf: (request: FastifyRequest) => string;
  respond: (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    view: StaffView,
  ) => Promise<unknown>;
  respondNothing: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

/** The page behind the link in a Monday letter or a test mail. As on the page of a request, only a press changes anything. */
export function createLetterPage(parts: LetterPageParts) {
  const { store, staffKeys, publicUrl, now, restOf, respond, respondNothing } = parts;

  type Act = (letter: ReadLetter, request: FastifyRequest) => Promise<{ status: number } & Shown>;
  type Shown = Pick<StaffLetter, 'message'> | { redirect: string };

  const withKey = (act: Act) => async (request: FastifyRequest, reply: FastifyReply) => {
    const letter = staffKeys.readLetterPath(restOf(request));
    if (!letter || isOld(letter, now())) return respondNothing(request, reply);
    const { status, ...shown } = await act(letter, request).catch((err) => {
      if (!(err instanceof StoreUnavailable)) throw err;
      request.log.warn({ event: 'staff page unavailable', err });
      reply.header('retry-after', 60);
      return { status: 503, message: 'unavailable' as const };
    });
    if ('redirect' in shown) reply.header('cache-control', 'no-store').redirect(shown.redirect, status);
    else await respond(request, reply, status, { kind: 'letter', isTest: 'test' in letter, ...shown });
  };

  return {
    read: withKey(async (letter, request) => {
      const isAfterPress = request.url.endsWith(pressed);
      const sign = isAfterPress ? await store.findTime(signOf(letter)) : null;
      return { status: 200, message: sign ? 'read' : null };
    }),
    press: withKey(async (letter, request) => {
      if (!isSameOrigin(request.headers, publicUrl)) return { status: 403, message: 'refused' };
      await store.recordTime(signOf(letter), now());
      return { status: 303, redirect: `/staff/letter/${restOf(request)}${pressed}` };
    }),
    refuse: (status: number) => withKey(async () => ({ status, message: 'refused' })),

    /** A press on the page of a request shows that somebody reads the mailbox to which its mail went. */
    recordPressOn: ({ form }: Pick<StoredSubmission, 'form'>): Promise<void> =>
      // The press itself must not fail by it.
      store.recordTime(mailboxSign(form), now()).catch(ignoreUnavailable(undefined)),
  };
}

const isOld = (letter: ReadLetter, at: Date) =>
  'day' in letter && addDays(letter.day, pressedWithin) < nzDay(at);
