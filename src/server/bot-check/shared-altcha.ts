import { type Altcha, createAltcha } from './altcha.ts';
import type { BotCheckResult } from './bot-check.ts';

export interface SharedAltcha extends Altcha {
  /** From now on challenges are made with this secret. Those made before are still taken. */
  adopt(secret: string): void;
}

/**
 * Servers that share a database share the secret in it. One that started while the database was away has made
 * challenges with a secret of its own, and the people who hold them must not be refused for it.
 */
export function createSharedAltcha(secret: string): SharedAltcha {
  let current = createAltcha(secret);
  const known = new Map([[secret, current]]);

  return {
    ...current,
    createChallenge: (...given) => current.createChallenge(...given),
    async verify(token) {
      let result: BotCheckResult = { ok: false, reason: 'malformed' };
      for (const one of known.values()) {
        result = await one.verify(token);
        if (result.ok) return result;
      }
      return result;
    },
    adopt(shared) {
      current = known.get(shared) ?? createAltcha(shared);
      known.set(shared, current);
    },
  };
}
