/**
 * The least code that does the same work: node:http with one recorded response, or one insert, a request. The site is
 * measured beside this server: `bare-server.ts FOLDER [URL REQUESTS]`. The server sends each of the REQUESTS to
 * the site at URL once, and then answers them with the same bytes and headers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBareStore } from './bare-store.ts';
import { type HttpRequest, type RecordedResponse, recordResponse } from './recorded-response.ts';

const [folder = '', url = '', requests = '[]'] = process.argv.slice(2);
const store = openBareStore(folder);
const recorded = new Map<string, RecordedResponse>();
for (const request of JSON.parse(requests) as HttpRequest[])
  recorded.set(request.path, await recordResponse(url, request));

function answerPost(text: string, response: ServerResponse): void {
  const { query, variables } = JSON.parse(text);
  const { headers, body } = recorded.get('/graphql') ?? { headers: {}, body: Buffer.alloc(0) };
  if (!query.startsWith('mutation')) return void response.writeHead(200, headers).end(body);
  const json = JSON.stringify({ data: { submitHelpRequest: store.write(variables) } });
  response.writeHead(200, { ...headers, 'content-length': json.length }).end(json);
}

function answerGet({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const found = recorded.get(url);
  const etag = headers['if-none-match'];
  if (!found) response.writeHead(404).end();
  else if (etag !== undefined && etag === found.headers.etag)
    response.writeHead(304, found.unchangedHeaders).end();
  else response.writeHead(200, found.headers).end(found.body);
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return answerGet(request, response);
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => answerPost(text, response));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`{"event":"listening","port":${(server.address() as AddressInfo).port}}\n`);
});
