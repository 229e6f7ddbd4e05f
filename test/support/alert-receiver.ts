import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './canary.ts';

export interface ReceivedAlert {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What ntfy, Slack or Home Assistant is to the website. `respond` is asked for each POST; without a call to end() it hangs. */
export async function startReceiver(
  respond: (response: ServerResponse, count: number) => void = (response) => response.end(),
) {
  const received: ReceivedAlert[] = [];
  const url = await listen(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body: await text(request) });
    respond(response, received.length);
  });
  return { url: `${url}/secret-topic`, received, texts: () => received.map(({ body }) => body) };
}
