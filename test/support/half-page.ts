import { request } from 'node:http';
import { startLocal } from './local-server.ts';

export interface HalfPage {
  url: string;
  sendRest(): void;
  stop(): Promise<void>;
}

/** A site's page that stops coming in right after the given words, until the rest is sent. Other requests are passed on. */
export async function startHalfPage(behind: string, path: string, words: string): Promise<HalfPage> {
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
  const { port, stop } = await startLocal((asked, answer) => {
    const isPage = asked.url === path;
    const headers = { ...asked.headers, ...(isPage ? { 'accept-encoding': 'identity' } : {}) };
    const passed = request(behind + asked.url, { method: asked.method, headers }, async (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      if (!isPage) return response.pipe(answer);
      let html = '';
      for await (const part of response.setEncoding('utf8')) html += part;
      const middle = html.indexOf(words) + words.length;
      answer.write(html.slice(0, middle));
      await rest;
      return answer.end(html.slice(middle));
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  return { url: `http://localhost:${port}`, sendRest, stop };
}
