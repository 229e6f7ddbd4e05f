import { readdirSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { formQueries, submitMutations } from '../../src/model/operations.ts';
import { sampleEntries } from '../support/forms.ts';
import { openConnection, wire } from '../support/raw-http.ts';
import { mailTo, startScriptedSmtp } from '../support/scripted-smtp.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken } from '../support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from '../support/visitor.ts';
import { hurried } from '../support/wrong-clocks.ts';

/**
 * Somebody polls every public address to see whether the person they watch has asked for help. One request changes no
 * byte of any answer. Time that cannot be set is hurried, so that no answer is one that was kept from before.
 */

const watcher = '192.0.2.7';

const reads = [
  '/help',
  '/contact',
  '/none',
  '/assets/none.js',
  '/favicon.svg',
  '/robots.txt',
  '/.well-known/security.txt',
  '/graphql',
  '/metrics',
  '/bot-check/challenge',
  '/health',
  '/health/live',
  '/health/ready',
  '/health/deliveries',
];
const encodings = ['identity', 'gzip', 'br'];

const headersOf = (request: string, encoding = 'identity') => [
  `${request} HTTP/1.1`,
  'Host: www.trust.example',
  `X-Forwarded-For: ${watcher}`,
  `Accept-Encoding: ${encoding}`,
  'Connection: close',
];

function posts(): Record<string, string> {
  const json = (query: string, variables?: object) => {
    const body = JSON.stringify({ query, variables });
    const about = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    return wire([...headersOf('POST /graphql'), ...about], body);
  };
  return {
    'a form’s questions': json(formQueries.help),
    'a made-up token': json(submitMutations.help, { fields: [], recaptchaToken: 'none' }),
    'a document that is none': json('{ requests { reference } }'),
    'another method': wire(headersOf('OPTIONS /help')),
  };
}

/** Without the time of day, and without what is drawn at random for each who asks. */
const constantOf = (answer: string) =>
  answer
    .replace(/^date: .*\r\n/im, '')
    // When a form was sent out, signed.
    .replace(/\b\d{10}-[\w-]{22}/g, 'SENT OUT')
    .replace(/^etag: .*\r\n(?=[\s\S]*SENT OUT)/im, '')
    // A challenge.
    .replace(/"(nonce|salt|keySignature|signature|keyPrefix)":"[0-9a-f]+"/g, '"$1":"RANDOM"')
    .replace(/"expiresAt":\d+/, '"expiresAt":"LATER"');

/** Head and body, the body unpacked: a packed one hides where the time stands in it. */
async function ask(port: number, request: string): Promise<string> {
  const { socket, answered } = openConnection(port);
  socket.setEncoding('latin1').write(request);
  const answer = await answered;
  const [head = ''] = answer.split('\r\n\r\n', 1);
  const body = Buffer.from(answer.slice(head.length + 4), 'latin1');
  const [, encoding] = /^content-encoding: (\w+)/im.exec(head) ?? [];
  const unpacked = encoding === 'br' ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body;
  // A page is compressed better in the background after somebody first asked for it, whatever others send.
  const constantHead = encoding ? head.replace(/^content-length: .*\r\n/im, '') : head;
  return constantOf(`${constantHead}\r\n\r\n${unpacked.toString('latin1')}`);
}

async function look({ url }: TestServer): Promise<Map<string, Set<string>>> {
  const port = Number(new URL(url).port);
  const requests = new Map(Object.entries(posts()));
  for (const path of reads)
    for (const encoding of encodings)
      requests.set(`${path} ${encoding}`, wire(headersOf(`GET ${path}`, encoding)));
  const seen = new Map<string, Set<string>>();
  for (const [what, request] of requests) seen.set(what, new Set([await ask(port, request)]));
  // One of five covers at random. Sixty miss one of them once in a hundred thousand times.
  const homes = Array.from({ length: 60 }, () => ask(port, wire(headersOf('GET /'))));
  seen.set('/', new Set(await Promise.all(homes)));
  return seen;
}

/** What one request changes, by address. @param isDealtWith whether the request is where it is to go. */
async function findChanges(server: TestServer, isDealtWith: () => boolean): Promise<[string, string[]][]> {
  const before = await look(server);
  expect(isReceipt(await send(server.url, 'help', sampleEntries.help, await mintToken()))).toBe(true);
  await expect.poll(isDealtWith).toBe(true);
  const after = await look(server);
  return [...before].flatMap(([what, answers]): [string, string[]][] => {
    const now = after.get(what) ?? new Set();
    const changed = [...now].filter((answer) => !answers.has(answer));
    return changed.length > 0 || now.size < answers.size ? [[what, changed]] : [];
  });
}

async function serve(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ ...trustTheVisitor, ...hurried, ...env });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}

async function readOwn({ url }: TestServer) {
  const answer = await fetch(`${url}/health/deliveries`);
  return { status: answer.status, body: await answer.text() };
}

test('with mail as files no public answer tells of a request, and this machine is told', async () => {
  const dataDir = temporaryFolder();
  const server = await serve({ DATA_DIR: dataDir });
  const isDealtWith = () =>
    readdirSync(dataDir).includes('mail') && readdirSync(`${dataDir}/mail`).some(isMail);
  expect(await findChanges(server, isDealtWith)).toEqual([]);
  expect((await readOwn(server)).body).toContain('1 mail that nobody has read');
});

const isMail = (name: string) => /^\w{4}-\w{4}\.eml$/.test(name);

test.each([
  [
    'refuses a mail',
    { END: '554 5.7.1 no' },
    { status: 503, body: expect.stringContaining('1 request was refused') },
  ],
  ['is down', { GREETING: 'drop' }, { status: 200, body: '{"status":"in time"}' }],
] as const)('no public answer tells of a request where the mail server %s', async (_what, script, own) => {
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  smtp.script = script;
  const server = await serve({ DATA_DIR: temporaryFolder(), ...mailTo(smtp.port) });
  const isDealtWith = () => server.lines.some((line) => /"event":"delivery (parked|postponed)"/.test(line));
  expect(await findChanges(server, isDealtWith)).toEqual([]);
  expect(await readOwn(server)).toEqual(own);
});
