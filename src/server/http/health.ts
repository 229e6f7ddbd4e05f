import type { FastifyInstance } from 'fastify';
import { keptFor } from '../kept-for.ts';

/** Something that can say what is wrong with it, or null when nothing is. */
export type HealthCheck = () => Promise<string | null>;

/** A check may write to the database; anybody may ask, as often as they like. */
const keptMs = 2_000;

/** Live: the process answers. Ready: it can do its work; 503 names what it cannot. */
export function registerHealth(app: FastifyInstance, checks: readonly HealthCheck[]): void {
  const findProblems = keptFor(keptMs, async () => {
    const found = await Promise.all(checks.map((check) => check()));
    return found.filter((problem) => problem !== null);
  });

  app.get('/health/live', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'live' };
  });

  app.get('/health/ready', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const problems = await findProblems();
    return problems.length === 0
      ? { status: 'ready' }
      : reply.code(503).send({ status: 'not ready', problems });
  });
}
