import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Ask {
  path: string;
  headers: Record<string, string>;
  /** Posted, where there is one. */
  body?: string;
}

export interface Ready {
  headers: OutgoingHttpHeaders;
  body: Buffer;
  /** The headers of a 304. */
  unchanged: OutgoingHttpHeaders;
}

/** One answer of a server, as it came: nothing is unpacked. */
export async function fetchReady(url: string, { path, headers, body }: Ask): Promise<Ready> {
  const asked = request(`${url}${path}`, { method: body === undefined ? 'GET' : 'POST', headers });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const received = await buffer(response);
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
  // What Node writes by itself is left to it, here as there.
  const sent = without(response.headers, ['date', 'connection', 'keep-alive', 'transfer-encoding']);
  const unchanged = without(sent, ['content-length', 'content-type', 'content-encoding']);
  return { headers: sent, body: received, unchanged };
}

const without = (headers: IncomingHttpHeaders | OutgoingHttpHeaders, names: string[]): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
