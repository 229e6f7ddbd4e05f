import { createHmac, randomBytes } from 'node:crypto';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Per address and ten minutes. A whole library, refuge or mobile network may share one address, so these only stop
 * a machine, and a visitor's browser tries again by itself.
 */
const perTenMinutes = { submissions: 60, challenges: 240 } as const;
const timeWindow = 10 * 60 * 1000;

/** Visitors who were gone before they could be asked for their address count together, so they get room for ten. */
const roomForGone = 10;

export type Allow = (request: FastifyRequest) => Promise<boolean>;

/** Addresses are kept only in memory, and only as hashes under a key that dies with the process. */
export async function registerRateLimits(
  app: FastifyInstance,
): Promise<Record<keyof typeof perTenMinutes, Allow>> {
  const key = randomBytes(32);
  // A socket that was reset has no address, unless it was asked before; and the form that came over it may be whole.
  app.server.on('connection', (socket) => socket.remoteAddress);
  const hashAddress = (request: FastifyRequest) =>
    createHmac('sha256', key)
      .update(isGone(request) ? 'gone' : normalizeIP(request.ip, 64))
      .digest('base64url');
  await app.register(rateLimit, { global: false, cache: 20_000, keyGenerator: hashAddress });

  const limit = (perAddress: number): Allow => {
    const max = (request: FastifyRequest) => (isGone(request) ? roomForGone * perAddress : perAddress);
    const check = app.createRateLimit({ max, timeWindow, keyGenerator: hashAddress });
    return async (request) => {
      const result = await check(request);
      return result.isAllowed || !result.isExceeded;
    };
  };
  return { submissions: limit(perTenMinutes.submissions), challenges: limit(perTenMinutes.challenges) };
}

/** Reset before anyone asked for its address. */
const isGone = (request: FastifyRequest) => request.socket.remoteAddress === undefined;
