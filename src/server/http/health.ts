import type { FastifyInstance } from 'fastify';

/** Something that can say what is wrong with it, or null when nothing is. */
export type HealthCheck = () => Promise<string | null>;

/** Live: the process answers. Ready: it can do its work; 503 names what it cannot. */
export function registerHealth(app: FastifyInstance, checks: readonly HealthCheck[]): void {
  app.get('/health/live', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'live' };
  });

  app.get('/health/ready', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const problems = (await Promise.all(checks.map((check) => check()))).filter(
      (problem) => problem !== null,
    );
    return problems.length === 0
      ? { status: 'ready' }
      : reply.code(503).send({ status: 'not ready', problems });
  });
}
