import type { FastifyInstance } from 'fastify';

/** On every answer, whatever it is. Pages set their own Content-Security-Policy on top. */
export function registerSecurityHeaders(app: FastifyInstance, publicUrl: string | undefined): void {
  const headers: Record<string, string> = {
    'content-security-policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
}
