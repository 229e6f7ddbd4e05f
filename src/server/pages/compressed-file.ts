import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prepareReply, type ReadyResponse } from '../http/ready-responses.ts';

/** A response body that is the same for every visitor, compressed in advance. */
export interface CompressedFile {
  type: string;
  /** A hash of the content. The ETag adds the encoding, because the bytes differ. */
  hash: string;
  bodies: Record<Encoding, Buffer>;
}

/** The files that the build makes for browsers, by extension. */
export const assetTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

export const htmlType = 'text/html; charset=utf-8';

type Encoding = 'br' | 'gzip' | 'identity';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const brotliParams = (quality: number, length: number) => ({
  [constants.BROTLI_PARAM_QUALITY]: quality,
  [constants.BROTLI_PARAM_SIZE_HINT]: length,
});
/** 14.5 kB instead of 15.9 for a form, in 115 ms of processor instead of 9: worth it for what is sent many times. */
const smallest = (length: number) => brotliParams(constants.BROTLI_MAX_QUALITY, length);
const quick = (length: number) => brotliParams(5, length);

export async function compressFile(content: string | Buffer, type: string): Promise<CompressedFile> {
  const identity = Buffer.from(content);
  const [br, gzip] = await Promise.all([
    brotli(identity, { params: smallest(identity.length) }),
    zip(identity, { level: 9 }),
  ]);
  return { type, hash: contentHash(identity), bodies: { br, gzip, identity } };
}

/** A file that the build has compressed already, with the results beside it. A missing file costs one attempt to open it. */
export async function readCompressedFile(file: URL, type: string): Promise<CompressedFile> {
  const read = (ending: string) => readFile(new URL(`${file.href}${ending}`));
  const identity = await read('');
  const [br, gzip] = await Promise.all([read('.br'), read('.gz')]);
  return { type, hash: contentHash(identity), bodies: { br, gzip, identity } };
}

const contentHash = (content: Buffer) => createHash('sha256').update(content).digest('base64url').slice(0, 8);

/** Matches an Accept-Encoding that names the encoding, except with `q=0`, which refuses it. */
const accepts = (name: string) =>
  new RegExp(String.raw`(?:^|,)\s*${name}\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)`, 'i');
const acceptsBrotli = accepts('br');
const acceptsGzip = accepts('gzip');

/** The smallest encoding that the visitor accepts. */
export function chooseEncoding(accepted = ''): Encoding {
  if (acceptsBrotli.test(accepted)) return 'br';
  return acceptsGzip.test(accepted) ? 'gzip' : 'identity';
}

/** Every response to a request for this file: whole or 304, in each encoding. */
export function makeReady(
  file: CompressedFile,
  headers: Readonly<Record<string, string>>,
  route: string,
): ReadyResponse {
  const repliesIn = (encoding: Encoding) => {
    const tag = `"${file.hash}-${encoding}"`;
    const always = { ...headers, etag: tag, vary: 'accept-encoding' };
    const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding };
    return {
      tag,
      whole: prepareReply({ ...always, ...encoded, 'content-type': file.type }, file.bodies[encoding]),
      unchanged: prepareReply(always),
    };
  };
  const replies = { br: repliesIn('br'), gzip: repliesIn('gzip'), identity: repliesIn('identity') };
  return {
    route,
    replyTo(asked) {
      const { tag, whole, unchanged } = replies[chooseEncoding(asked['accept-encoding'])];
      return matches(asked['if-none-match'], tag) ? unchanged : whole;
    },
  };
}

/** Sends a response for one visitor alone: compressed quickly and never cached. */
export async function sendOnce(request: FastifyRequest, reply: FastifyReply, content: string, type: string) {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  reply.headers({ vary: 'accept-encoding', 'cache-control': 'no-store' }).type(type);
  if (encoding === 'identity') return reply.send(content);
  const identity = Buffer.from(content);
  const body =
    encoding === 'br' ? await brotli(identity, { params: quick(identity.length) }) : await zip(identity);
  return reply.header('content-encoding', encoding).send(body);
}

/** Weak comparison, because a proxy may have weakened the tag on the way. */
function matches(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}
