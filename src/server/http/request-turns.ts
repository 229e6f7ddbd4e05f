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
  const turn = limits.takeTurn(request);
  if (turn === null) {
    proceed();
    return;
  }
  waiting.add(request.raw);
  setTimeout(() => {
    waiting.delete(request.raw);
    turn.leave();
    // Refused only after the wait as well, or refusing would be what keeps the server busy.
    if (turn.refused) refuse(reply);
    else proceed();
  }, turn.waitMs);
}

function refuse(reply: FastifyReply): void {
  reply
    .code(429)
    .headers({ 'cache-control': 'no-store', 'retry-after': 1 })
    .send({ error: 'Too many at once' });
}
