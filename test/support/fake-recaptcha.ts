import { startLocal } from './local-server.ts';

/** Google's side of reCAPTCHA v3, at its HTTP edge: the page's script and siteverify. */
export interface FakeRecaptcha {
  url: string;
  /** Paths asked for, in order. */
  asked: string[];
  close(): Promise<void>;
}

const script = `
globalThis.grecaptcha = {
  ready: (callback) => callback(),
  execute: async (key, { action }) => [key, action, String(Math.random()).slice(2)].join('_'),
};`;

export async function startFakeRecaptcha(hostname: string): Promise<FakeRecaptcha> {
  const asked: string[] = [];
  const { url, stop } = await startLocal((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    asked.push(path);
    if (path === '/recaptcha/api.js') {
      // Google's scripts may be used from anywhere, and say so.
      const headers = { 'content-type': 'text/javascript', 'cross-origin-resource-policy': 'cross-origin' };
      response.writeHead(200, headers).end(script);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, score: 0.9, action: 'submit', hostname }));
  });
  return { url, asked, close: stop };
}
