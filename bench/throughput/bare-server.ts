/**
 * The least that could do the same work: node:http and one answer that is ready, or one insert, a request. What the
 * site's server is measured against, in the same run on the same machine: `bare-server.ts FOLDER [URL ASKS] [grouped]`.
 * It asks the site at URL once for each of the ASKS, and from then on answers them with the same bytes and headers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Receipt } from '../../src/model/operations.ts';
import { openBareStore, type Sent } from './bare-store.ts';
import { type Ask, fetchReady, type Ready } from './ready-answers.ts';

const [folder = '', url = '', asks = '[]', grouping] = process.argv.slice(2);
const store = openBareStore(folder);
const ready = new Map<string, Ready>();
for (const ask of JSON.parse(asks) as Ask[]) ready.set(ask.path, await fetchReady(url, ask));

/** With `grouped`, those that came in one turn of the event loop share a sync. */
const waiting: { sent: Sent; answer(receipt: Receipt): void }[] = [];
function keepTogether(): void {
  const all = waiting.splice(0);
  const receipts = store.keep(all.map(({ sent }) => sent));
  for (const [n, { answer }] of all.entries()) answer(receipts[n] as Receipt);
}
function keep(sent: Sent, answer: (receipt: Receipt) => void): void {
  if (grouping !== 'grouped') answer(store.keep([sent])[0] as Receipt);
  else if (waiting.push({ sent, answer }) === 1) setImmediate(keepTogether);
}

function answerPost(body: string, response: ServerResponse): void {
  const { query, variables } = JSON.parse(body);
  const { headers, body: form } = ready.get('/graphql') ?? { headers: {}, body: Buffer.alloc(0) };
  if (!query.startsWith('mutation')) return void response.writeHead(200, headers).end(form);
  keep(variables, (receipt) => {
    const receipts = JSON.stringify({ data: { submitHelpRequest: receipt } });
    response.writeHead(200, { ...headers, 'content-length': receipts.length }).end(receipts);
  });
}

function answerGet({ url = '', headers: asked }: IncomingMessage, response: ServerResponse): void {
  const found = ready.get(url);
  const known = asked['if-none-match'];
  if (!found) response.writeHead(404).end();
  else if (known !== undefined && known === found.headers.etag)
    response.writeHead(304, found.unchanged).end();
  else response.writeHead(200, found.headers).end(found.body);
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return answerGet(request, response);
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => answerPost(body, response));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`{"event":"listening","port":${(server.address() as AddressInfo).port}}\n`);
});
