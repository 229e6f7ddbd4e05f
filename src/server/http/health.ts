import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shareFor } from '../time/share-for.ts';
import type { HealthAccess } from './health-access.ts';

/** What is wrong, and what is not right but does no harm yet. It may count requests: not for everybody. */
export interface Health {
  problems: string[];
  warnings: string[];
}

export interface HealthDetails {
  /** Whether this server can keep a request now. Nothing else: a proxy that is told no takes the whole site away. */
  ready: () => Promise<Health>;
  /** Whether what was kept reached staff in time. */
  deliveries: () => Promise<Health>;
}

export interface HealthParts extends HealthDetails {
  /**
   * The same for anybody: true where all is well. No single request may change it, or whoever polls it sees when
   * somebody has asked for help (docs/decisions/0101).
   */
  publicly: { ready: () => Promise<boolean>; deliveries: () => Promise<boolean> };
}

export const healthChecks = ['ready', 'deliveries'] as const;
export type HealthCheck = (typeof healthChecks)[number];

const words: Record<HealthCheck, { good: string; bad: string }> = {
  ready: { good: 'ready', bad: 'not ready' },
  deliveries: { good: 'in time', bad: 'not in time' },
};

/** Finding out may ask the database; anybody may ask, as often as they like. */
const detailsKeptMs = 2_000;
/** The public answer writes to the database to find out, about 80 kB each time. */
const publicKeptMs = 10_000;

export interface HealthResponse {
  code: 200 | 503;
  body: { status: string; problems?: string[]; warnings?: string[] };
}

/** Details of one check, with what is wrong in words. */
export function describeInDetail(check: HealthCheck, { problems, warnings }: Health): HealthResponse {
  const { code, body } = describePublicly(check, problems.length === 0);
  return {
    code,
    body: {
      ...body,
      ...(problems.length > 0 ? { problems } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  };
}

const describePublicly = (check: HealthCheck, isWell: boolean): HealthResponse => ({
  code: isWell ? 200 : 503,
  body: { status: words[check][isWell ? 'good' : 'bad'] },
});

/**
 * For a proxy and a monitor. Live: the process answers. The others answer 503 where something is wrong, and say what it
 * is to this machine and to a monitor with its key.
 */
export function registerHealth(
  app: FastifyInstance,
  health: HealthParts,
  accessOf: (request: FastifyRequest) => HealthAccess,
): void {
  app.get('/health/live', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'live' };
  });

  for (const check of healthChecks) {
    const findDetails = shareFor(detailsKeptMs, health[check]);
    const findPublicly = shareFor(publicKeptMs, health.publicly[check]);
    app.get(`/health/${check}`, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const access = accessOf(request);
      // A monitor with an old key would see green for ever. But a load balancer with one must not lose the site.
      if (access === 'wrong key' && check === 'deliveries')
        return reply
          .code(401)
          .header('www-authenticate', 'Bearer')
          .send({ error: 'This is not the MONITOR_KEY of this site' });
      const { code, body } =
        access === 'details'
          ? describeInDetail(check, await findDetails())
          : describePublicly(check, await findPublicly());
      return reply.code(code).send(body);
    });
  }
}
