import type { FastifyInstance } from 'fastify';
import { keptFor } from '../kept-for.ts';

/** What is wrong, and what is not right but does no harm yet. In words that anyone may read. */
export interface Health {
  problems: string[];
  warnings: string[];
}

export interface HealthParts {
  /** Whether this server can keep a request now. Nothing else: a proxy that is told no takes the whole site away. */
  ready: () => Promise<Health>;
  /** Whether what was kept reached staff in time. */
  deliveries: () => Promise<Health>;
}

/** Finding out may ask the database; anybody may ask, as often as they like. */
const keptMs = 2_000;

/** For a proxy and a monitor. Live: the process answers. The others name what is wrong with a 503. */
export function registerHealth(app: FastifyInstance, { ready, deliveries }: HealthParts): void {
  app.get('/health/live', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'live' };
  });

  const serve = (path: string, find: () => Promise<Health>, [good, bad]: [string, string]) => {
    const findOnce = keptFor(keptMs, find);
    app.get(path, async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      const { problems, warnings } = await findOnce();
      const noted = warnings.length > 0 ? { warnings } : {};
      return problems.length === 0
        ? { status: good, ...noted }
        : reply.code(503).send({ status: bad, problems, ...noted });
    });
  };
  serve('/health/ready', ready, ['ready', 'not ready']);
  serve('/health/deliveries', deliveries, ['in time', 'not in time']);
}
