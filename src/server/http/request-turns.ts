import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientLimits } from './client-limits.ts';

const waiting = new WeakSet<IncomingMessage>();
/** Whoever has to wait asks for more than people do; should there be too many connections, theirs may go. */
export const isWaitingForTurn = (request: IncomingMessage) => waiting.has(request);

/** Refused only after a wait: refusing at once would be what keeps the server busy. */
const refusedMs = 5_000;

/**
 * Has each client's requests wait for their turn, so that one that asks without pause takes a small part of the
 * server's time and the others notice nothing. Before the body is read: what waits costs next to nothing.
 */
export function waitForTurn(
  limits: ClientLimits,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  proceed: () => void,
): void {
  if (limits.takeTurnAtOnce(raw)) {
    proceed();
    return;
  }
  waiting.add(raw);
  const ended = (next: () => void) => () => {
    reply.raw.off('close', withdraw);
    waiting.delete(raw);
    next();
  };
  const withdraw = limits.isLineFull(raw)
    ? callLater(ended(() => refuse(reply)))
    : limits.waitForTurn(raw, ended(proceed));
  reply.raw.once('close', withdraw);
}

function callLater(call: () => void): () => void {
  const timer = setTimeout(call, refusedMs);
  return () => clearTimeout(timer);
}

function refuse(reply: FastifyReply): void {
  reply
    .code(429)
    .headers({ 'cache-control': 'no-store', 'retry-after': refusedMs / 1_000 })
    .send({ error: 'Too many at once' });
}
