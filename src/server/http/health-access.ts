import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from './local-addresses.ts';
import type { TrustProxy } from './trusted-proxies.ts';

/** Who may read what counts requests. `wrong key`: a monitor of ours whose key is not the one that is set. */
export type HealthAccess = 'details' | 'public' | 'wrong key';

export interface HealthAccessParts {
  monitorKey: string | undefined;
  publicUrl: string | undefined;
  trust: TrustProxy | undefined;
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** What curl, Prometheus, a proxy's own health check or a browser says for itself. A proxy adds more (X-Forwarded-For, Via). */
const ownHeaders =
  /^(host|connection|user-agent|accept(-\w+)?|sec-[\w-]+|upgrade-insecure-requests|cache-control|pragma|priority|cookie)$/;

/**
 * Whoever brings the key, and programs on this machine. Behind a proxy on this machine every visitor connects from
 * loopback, so the connection proves little: details go to loopback only where the settings say what a proxy here does,
 * and the request has nothing that a proxy adds.
 */
export function createHealthAccess({ monitorKey, publicUrl, trust }: HealthAccessParts) {
  const keyHash = monitorKey === undefined ? null : digest(monitorKey);
  const isPublic = publicUrl !== undefined && !loopbackHost.test(new URL(publicUrl).host);
  // A public site has a proxy for TLS. One that TRUST_PROXY does not name need not say for whom it asks.
  const knowsProxy = !isPublic || trust?.('127.0.0.1', 0) === true;

  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): HealthAccess => {
    const [, key] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (key !== undefined) return keyHash && timingSafeEqual(digest(key), keyHash) ? 'details' : 'wrong key';
    const isDirect =
      knowsProxy &&
      isLoopback(socket.remoteAddress ?? '') &&
      loopbackHost.test(headers.host ?? '') &&
      Object.keys(headers).every((name) => ownHeaders.test(name));
    return isDirect ? 'details' : 'public';
  };
}

/** Of one length, however long the key is, so that comparing takes the same time. */
const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
