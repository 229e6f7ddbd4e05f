import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientLimits } from './client-limits.ts';

const waiting = new WeakSet<IncomingMessage>();
/** Whoever has to wait asks for more than people do; should there be too many connections, theirs may go. */
export const isWaitingForTurn = (request: IncomingMessage) => waiting.has(request);

/**
 * Has each client's requests wait for their turn, so that one that asks without pause takes a small part of the
 * server's time and the others notice nothing. Before the body is read: what waits costs next to nothing.
 */
export function waitForTurn(
  limits: ClientLimits,
  request: FastifyRequest,
  reply: FastifyReply,
  proceed: () => void,
): void {
  const turn = limits.takeTurn(request.raw);
  if (turn === null) {
    proceed();
    return;
  }
  const { waitMs, refused, leave } = turn;
  waiting.add(request.raw);
  const gone = () => {
    clearTimeout(timer);
    leave(true);
  };
  const timer = setTimeout(() => {
    reply.raw.off('close', gone);
    waiting.delete(request.raw);
    leave(false);
    // Refused only after the wait as well, or refusing would be what keeps the server busy.
    if (refused) refuse(reply, Math.ceil(waitMs / 1_000));
    else proceed();
  }, waitMs);
  reply.raw.once('close', gone);
}

function refuse(reply: FastifyReply, seconds: number): void {
  reply
    .code(429)
    .headers({ 'cache-control': 'no-store', 'retry-after': seconds })
    .send({ error: 'Too many at once' });
}
