import { text } from 'node:stream/consumers';
import { listen } from './canary.ts';

export interface Siteverify {
  url: string;
  /** The forms that were posted to it. */
  asked: URLSearchParams[];
  /** What it answers next, and from then on. 'silence' never answers. */
  answer: object | number | 'silence';
}

/** Google's side of reCAPTCHA, at its HTTP edge. */
export async function startSiteverify(): Promise<Siteverify> {
  const url = await listen(async (request, response) => {
    fake.asked.push(new URLSearchParams(await text(request)));
    if (fake.answer === 'silence') return;
    if (request.url !== '/recaptcha/api/siteverify' || request.method !== 'POST')
      response.writeHead(404).end();
    else if (typeof fake.answer === 'number') response.writeHead(fake.answer).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fake.answer));
  });
  const fake: Siteverify = {
    url,
    asked: [],
    answer: { success: true, score: 0.9, action: 'submit', hostname: 'www.kowhai.example' },
  };
  return fake;
}
