import { type IncomingMessage, ServerResponse } from 'node:http';

/** On every answer, whatever it is. Pages set their own Content-Security-Policy on top. */
export function securityHeaders(publicUrl: string | undefined): Record<string, string> {
  return {
    'content-security-policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/**
 * What Node makes every answer of. A hook would miss some: a request without Host, an address the router cannot read
 * and whatever comes while closing are answered before any hook runs.
 */
export function strictResponse(headers: Record<string, string>) {
  const strict = new Map(Object.entries(headers));
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...args);
      this.setHeaders(strict);
    }
  };
}
