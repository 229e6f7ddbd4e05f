import type { Challenge, Solution } from 'altcha-lib/types';
import { trustedTypesPolicy } from '../../../model/page-data.ts';
import { withTimeout } from '../../with-timeout.ts';
import workerAddress from './altcha-worker.ts?worker&url';
import { PermanentError, responseError } from './permanent-error.ts';

/** For fetching, and again for solving. The slowest phone measured solves in a fifth of this. */
const stepTimeoutMs = 30_000;

/** The token: the signed challenge with its solution. */
export async function obtainAltchaToken(challengePath: string): Promise<string> {
  const [challenge] = await withTimeout(stepTimeoutMs, (signal) =>
    Promise.all([
      fetchWhole(challengePath, signal),
      // Fetched before the worker starts, because a worker's error does not tell a missing file from a lost connection.
      import.meta.env.DEV || fetchWhole(workerAddress, signal),
    ]),
  );
  const { parameters, signature }: Challenge = JSON.parse(challenge);
  const solution = await solve({ parameters });
  return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }));
}

async function fetchWhole(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { signal });
  if (!response.ok) throw responseError(address, response.status);
  return response.text();
}

/**
 * In a worker, so that typing stays smooth. A classic worker, because Firefox before 114 has no module workers.
 * @throws {PermanentError}
 */
async function solve(challenge: Challenge): Promise<Solution> {
  let worker: Worker | undefined;
  try {
    return await withTimeout(
      stepTimeoutMs,
      () =>
        new Promise<Solution>((resolve, reject) => {
          worker = new Worker(trusted(workerAddress), { type: import.meta.env.DEV ? 'module' : 'classic' });
          worker.onmessage = ({ data }: MessageEvent<Solution | null>) =>
            data ? resolve(data) : reject(new Error('No solution'));
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage(challenge);
        }),
    );
  } catch (cause) {
    throw new PermanentError(String(cause));
  } finally {
    worker?.terminate();
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): unknown;
  };
}

/** In browsers with Trusted Types, the content policy allows a worker only with a URL from this policy. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  trustedTypesPolicy,
  {
    createScriptURL(address) {
      if (address !== workerAddress) throw new TypeError('Not an address of this site');
      return address;
    },
  },
);

const trusted = (address: string): string => (policy?.createScriptURL(address) ?? address) as string;
