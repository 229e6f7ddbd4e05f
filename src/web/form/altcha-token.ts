import type { Challenge, Solution } from 'altcha-lib/types';
import { trustedTypesPolicy } from '../../model/page-data.ts';
import workerAddress from './altcha-worker.ts?worker&url';

/** Fetching and solving together; the slowest phone measured needs a tenth of it. */
const boundMs = 60_000;

/** The token: the signed challenge with its solution. */
export async function obtainAltchaToken(challengePath: string): Promise<string> {
  const signal = AbortSignal.timeout(boundMs);
  const response = await fetch(challengePath, { signal });
  if (!response.ok) throw new Error(`The challenge was answered with ${response.status}`);
  const { parameters, signature }: Challenge = await response.json();
  const solution = await solve({ parameters }, signal);
  return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }));
}

/** In a worker, so that typing stays smooth meanwhile. */
function solve(challenge: Challenge, signal: AbortSignal): Promise<Solution> {
  const worker = new Worker(trusted(workerAddress), { type: 'module' });
  return new Promise<Solution>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | null>) =>
      data ? resolve(data) : reject(new Error('The challenge has no solution'));
    worker.onerror = ({ message }) => reject(new Error(`The worker failed: ${message}`));
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
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
