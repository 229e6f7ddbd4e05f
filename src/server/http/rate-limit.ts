import { createHmac, randomBytes } from 'node:crypto';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Per address and ten minutes. A whole library, refuge or mobile network may share one address, so these only stop
 * a machine, and a visitor's browser tries again by itself.
 */
const perTenMinutes = { submissions: 60, challenges: 240 } as const;
const timeWindow = 10 * 60 * 1000;

export type Allow = (request: FastifyRequest) => Promise<boolean>;

/** Addresses are kept only in memory, and only as hashes under a key that dies with the process. */
export async function registerRateLimits(
  app: FastifyInstance,
): Promise<Record<keyof typeof perTenMinutes, Allow>> {
  const key = randomBytes(32);
  const hashAddress = (request: FastifyRequest) =>
    createHmac('sha256', key).update(normalizeIP(request.ip, 64)).digest('base64url');
  await app.register(rateLimit, { global: false, cache: 20_000, keyGenerator: hashAddress });

  const limit = (max: number): Allow => {
    const check = app.createRateLimit({ max, timeWindow, keyGenerator: hashAddress });
    return async (request) => {
      const result = await check(request);
      return result.isAllowed || !result.isExceeded;
    };
  };
  return { submissions: limit(perTenMinutes.submissions), challenges: limit(perTenMinutes.challenges) };
}
