import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientLimits } from './client-limits.ts';

const waiting = new WeakSet<IncomingMessage>();
/** Whoever has to wait asks for more than people do; should there be too many connections, theirs may go. */
export const isPaced = (request: IncomingMessage) => waiting.has(request);

/**
 * Has each client's requests wait for their turn, so that one that asks without pause takes a small part of the
 * server's time and the others notice nothing. Before the body is read: what waits costs next to nothing. Nobody is
 * refused for how many wait: a person may be among them, and connections are bounded in all (connections.ts).
 */
export function paceRequest(
  limits: ClientLimits,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  proceed: () => void,
): void {
  if (limits.tryAdmit(raw)) {
    proceed();
    return;
  }
  waiting.add(raw);
  const withdraw = limits.admitLater(raw, () => {
    reply.raw.off('close', withdraw);
    waiting.delete(raw);
    proceed();
  });
  reply.raw.once('close', withdraw);
}
