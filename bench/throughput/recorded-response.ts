import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface HttpRequest {
  path: string;
  headers: Record<string, string>;
  /** A request with a body is a POST. */
  body?: string;
}

export interface RecordedResponse {
  headers: OutgoingHttpHeaders;
  body: Buffer;
  /** The headers of a 304. */
  unchangedHeaders: OutgoingHttpHeaders;
}

/** One response of a server, with its body as it was sent: still compressed. */
export async function recordResponse(
  url: string,
  { path, headers, body }: HttpRequest,
): Promise<RecordedResponse> {
  const sent = request(`${url}${path}`, { method: body === undefined ? 'GET' : 'POST', headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const received = await buffer(response);
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
  // Node writes these headers itself, in the site and in the server that replays the response.
  const ownHeaders = without(response.headers, ['date', 'connection', 'keep-alive', 'transfer-encoding']);
  const unchangedHeaders = without(ownHeaders, ['content-length', 'content-type', 'content-encoding']);
  return { headers: ownHeaders, body: received, unchangedHeaders };
}

const without = (headers: IncomingHttpHeaders | OutgoingHttpHeaders, names: string[]): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
