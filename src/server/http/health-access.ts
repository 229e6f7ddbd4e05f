import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../hardening/address-ranges.ts';
import type { TrustProxy } from './trusted-proxies.ts';

/** What a client may read. `details` say how many requests there are. `wrong key`: a monitor whose key is not MONITOR_KEY. */
export type HealthAccess = 'details' | 'public' | 'wrong key';

export interface HealthAccessParts {
  monitorKey: string | undefined;
  publicUrl: string | undefined;
  trust: TrustProxy | undefined;
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** What curl, Prometheus, a proxy's own health check or a browser sends. A proxy adds others (X-Forwarded-For, Via). */
const directHeaders =
  /^(host|connection|user-agent|x-prometheus-scrape-timeout-seconds|accept(-\w+)?|sec-[\w-]+|upgrade-insecure-requests|cache-control|pragma|priority|cookie)$/;

/**
 * Details are for clients with the key and for programs on this machine. Behind a proxy on this machine every visitor
 * connects from loopback, so a connection from loopback gets details only where the settings name the proxy and the
 * request has no header that a proxy adds.
 */
export function createHealthAccess({ monitorKey, publicUrl, trust }: HealthAccessParts) {
  const keyHash = monitorKey === undefined ? null : digest(monitorKey);
  const isPublic = publicUrl !== undefined && !loopbackHost.test(new URL(publicUrl).host);
  // A public site has a proxy for TLS. A proxy that TRUST_PROXY does not name may add no header that shows it.
  const knowsProxy = !isPublic || trust?.('127.0.0.1', 0) === true;

  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): HealthAccess => {
    const [, key] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (key !== undefined) return keyHash && timingSafeEqual(digest(key), keyHash) ? 'details' : 'wrong key';
    const isDirect =
      knowsProxy &&
      isLoopback(socket.remoteAddress ?? '') &&
      loopbackHost.test(headers.host ?? '') &&
      Object.keys(headers).every((name) => directHeaders.test(name));
    return isDirect ? 'details' : 'public';
  };
}

/** Of one length for any key, so that the comparison takes the same time. */
const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
