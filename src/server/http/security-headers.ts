import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

// What is no page has no form: pages say for themselves where theirs may go.
const strictPolicy = "default-src 'none';frame-ancestors 'none';base-uri 'none'";

/** A year, in seconds: what the preload list and the OWASP checklist ask for. */
const hstsSeconds = 31_536_000;

/**
 * For every response. Pages replace the Content-Security-Policy by their own. Development has none, because Vite's own
 * scripts are in the pages.
 *
 * @param hstsSubdomains also for every subdomain: these may be other people's, so only by a setting.
 */
export function securityHeaders(
  publicUrl: string | undefined,
  { isDevelopment = false, hstsSubdomains = false } = {},
): Record<string, string> {
  const hsts = `max-age=${hstsSeconds}${hstsSubdomains ? '; includeSubDomains' : ''}`;
  return {
    ...(isDevelopment ? {} : { 'content-security-policy': strictPolicy }),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(),geolocation=(),microphone=()',
    ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': hsts } : {}),
  };
}

/**
 * The class of every response. A hook of Fastify would miss some: those to a request without Host, to an address that the
 * router cannot decode and to a request while closing. All of them call `writeHead`, where a response's own headers
 * replace the strict ones.
 */
export function strictResponse(headers: Record<string, string>) {
  const strict = Object.entries(headers);
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: unknown[]): this {
      const [own] = rest;
      // One object is quicker than a header at a time. Fastify and this site write names in lower case only.
      if (isRecord(own) && this.getHeaderNames().length === 0)
        return super.writeHead(status, { ...headers, ...own });
      for (const [name, value] of strict) if (!this.hasHeader(name)) this.setHeader(name, value);
      return super.writeHead(status, ...(rest as [OutgoingHttpHeaders?]));
    }
  };
}

const isRecord = (value: unknown): value is OutgoingHttpHeaders =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
