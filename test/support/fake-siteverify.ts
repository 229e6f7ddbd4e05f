import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Siteverify {
  url: string;
  /** The forms that were posted to it. */
  asked: URLSearchParams[];
  /** What it answers next, and from then on. 'silence' never answers. */
  answer: object | number | 'silence';
}

/** Google's side of reCAPTCHA, at its HTTP edge. */
export async function startSiteverify(): Promise<Siteverify> {
  const server = createServer(async (request: IncomingMessage, response) => {
    fake.asked.push(new URLSearchParams(await text(request)));
    if (fake.answer === 'silence') return;
    if (request.url !== '/recaptcha/api/siteverify' || request.method !== 'POST')
      response.writeHead(404).end();
    else if (typeof fake.answer === 'number') response.writeHead(fake.answer).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fake.answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const fake: Siteverify = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: { success: true, score: 0.9, action: 'submit', hostname: 'www.kowhai.example' },
  };
  return fake;
}
