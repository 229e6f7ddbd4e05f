import type { Challenge, Solution } from 'altcha-lib/types';
import { trustedTypesPolicy } from '../../../model/page-data.ts';
import workerAddress from './altcha-worker.ts?worker&url';
import { PermanentError, responseError } from './permanent-error.ts';
import { withTimeout } from './with-timeout.ts';

/** Of fetching, and then of solving, for which the slowest phone measured needs a fifth of it. */
const boundMs = 30_000;

/** The token: the signed challenge with its solution. */
export async function obtainAltchaToken(challengePath: string): Promise<string> {
  const [challenge] = await withTimeout(boundMs, (signal) =>
    Promise.all([
      fetchWhole(challengePath, signal),
      // Fetched here first, because a worker that fails does not say whether its file is gone or the signal.
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
 * In a worker, so that typing stays smooth meanwhile. Not a module worker: Firefox knows those from 114 on.
 * @throws {PermanentError}
 */
async function solve(challenge: Challenge): Promise<Solution> {
  let worker: Worker | undefined;
  try {
    return await withTimeout(
      boundMs,
      () =>
        new Promise<Solution>((resolve, reject) => {
          worker = new Worker(trusted(workerAddress), { type: import.meta.env.DEV ? 'module' : 'classic' });
          worker.onmessage = ({ data }: MessageEvent<Solution | null>) =>
            data ? resolve(data) : reject(new Error('The challenge has no solution'));
          worker.onerror = ({ message }) => reject(new Error(`The worker failed: ${message}`));
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

/** Where the browser knows Trusted Types, the page's policy lets a worker start only from an address named here. */
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
