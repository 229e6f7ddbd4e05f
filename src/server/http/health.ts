import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shareFor } from '../time/share-for.ts';
import type { HealthAccess } from './health-access.ts';

/** What a warning names does no harm yet. Both lists may say how many requests there are: they are not for the public. */
export interface Health {
  problems: string[];
  warnings: string[];
  /** Those of them that the trust's team mends by answering, without the person who runs the site. */
  forStaff: readonly string[];
}

export interface HealthDetails {
  /** Whether this server can store a request now, and nothing else: a proxy sends no visitors to an unready server. */
  ready: () => Promise<Health>;
  /** Whether mail of stored requests is accepted, and the requests are seen, in time. */
  deliveries: () => Promise<Health>;
}

export interface HealthParts extends HealthDetails {
  /**
   * For the public: true where all is well. No single request may change the result, or somebody who polls it sees when
   * a person has asked for help (docs/decisions/0101).
   */
  publicChecks: { ready: () => Promise<boolean>; deliveries: () => Promise<boolean> };
}

export const healthChecks = ['ready', 'deliveries'] as const;
type HealthCheck = (typeof healthChecks)[number];

const statusWords: Record<HealthCheck, { good: string; bad: string }> = {
  ready: { good: 'ready', bad: 'not ready' },
  deliveries: { good: 'in time', bad: 'not in time' },
};

/** Callers share one result for this long, because a check may query the database. */
const detailsSharedMs = 2_000;
/** The public check writes about 80 kB to the database. */
const publicSharedMs = 10_000;

/**
 * For a proxy and a monitor. `live`: the process responds. The others respond with 503 where something is wrong, and
 * with details to this machine and to a monitor that has the key.
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
    const checkInDetail = shareFor(detailsSharedMs, health[check]);
    const checkPublicly = shareFor(publicSharedMs, health.publicChecks[check]);
    app.get(`/health/${check}`, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const access = accessOf(request);
      // A monitor with an old key would not see that mail waits or is parked. `ready` still responds to an old key, because a
      // load balancer would take an error for a server that is down.
      if (access === 'wrong key' && check === 'deliveries')
        return refuseReader(reply, 'This is not the MONITOR_KEY of this site');
      const details = access === 'details' ? await checkInDetail() : null;
      const isWell = details ? details.problems.length === 0 : await checkPublicly();
      const found = Object.entries({ problems: details?.problems ?? [], warnings: details?.warnings ?? [] });
      return reply.code(isWell ? 200 : 503).send({
        status: statusWords[check][isWell ? 'good' : 'bad'],
        ...Object.fromEntries(found.filter(([, list]) => list.length > 0)),
      });
    });
  }
}

/** For a reader without the key that it needs. */
export const refuseReader = (reply: FastifyReply, error: string): FastifyReply =>
  reply.code(401).header('www-authenticate', 'Bearer').send({ error });
