import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prepareReply, type ReadyResponse } from '../http/ready-responses.ts';

/** An answer that is the same for every visitor: compressed once, as small as it gets, and kept in memory. */
export interface KeptFile {
  type: string;
  /** A hash of the content. The ETag adds the encoding, because the bytes differ. */
  hash: string;
  /** Of files with the same hash some bytes may differ that are no news to whoever has one. */
  isWeak?: boolean;
  bodies: Record<Encoding, Buffer>;
}

/** What the build makes for browsers to fetch, by the end of the name. */
export const assetTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

export const htmlType = 'text/html; charset=utf-8';

type Encoding = 'br' | 'gzip' | 'identity';

/** Packed at once, or as small as it gets: a tenth smaller, for forty times the work. */
export type Packing = 'quick' | 'small';

export const brotliParams = (packing: Packing, length: number) => ({
  [constants.BROTLI_PARAM_QUALITY]: packing === 'quick' ? 5 : constants.BROTLI_MAX_QUALITY,
  [constants.BROTLI_PARAM_SIZE_HINT]: length,
});

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export async function keepFile(
  content: string | Buffer,
  type: string,
  packing: Packing = 'small',
): Promise<KeptFile> {
  const identity = Buffer.from(content);
  const [br, gzip] = await Promise.all([
    brotli(identity, { params: brotliParams(packing, identity.length) }),
    zip(identity, { level: 9 }),
  ]);
  return asKept({ br, gzip, identity }, type, packing);
}

/** A file that the build has compressed already, with the results beside it. */
export async function readKept(file: URL, type: string): Promise<KeptFile> {
  const read = (ending: string) => readFile(new URL(`${file.href}${ending}`));
  const [identity, br, gzip] = await Promise.all([read(''), read('.br'), read('.gz')]);
  return asKept({ br, gzip, identity }, type);
}

function asKept(bodies: KeptFile['bodies'], type: string, packing: Packing = 'small'): KeptFile {
  return { type, hash: hashOf(bodies.identity, packing), bodies };
}

/** Other bytes have another name, also where they say the same. */
export function hashOf(content: Buffer, packing: Packing): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return packing === 'small' ? hash : `${hash}-${packing}`;
}

/** What browsers send is a handful of different lines; who sends others is not remembered for long, nor long lines at all. */
const remembered = { lines: 64, length: 128 } as const;
const chosen = new Map<string, Encoding>();
export const rememberedLines = () => chosen.size;

/** The smallest encoding the visitor takes. */
export function chooseEncoding(accepted = ''): Encoding {
  const before = chosen.get(accepted);
  if (before) return before;
  const encoding = readAccepted(accepted);
  if (chosen.size === remembered.lines) chosen.clear();
  if (accepted.length <= remembered.length) chosen.set(accepted, encoding);
  return encoding;
}

/** `br;q=0` is how one says not to. */
function readAccepted(accepted: string): Encoding {
  const taken = new Set(
    accepted
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]?.trim().toLowerCase()),
  );
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : 'identity';
}

/** All answers that there are to who asks for this file. */
export function makeReady(
  file: KeptFile,
  headers: Readonly<Record<string, string>>,
  route: string,
): ReadyResponse {
  const answersIn = (encoding: Encoding) => {
    const tag = `"${file.hash}-${encoding}"`;
    const always = { ...headers, etag: file.isWeak ? `W/${tag}` : tag, vary: 'accept-encoding' };
    const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding };
    return {
      tag,
      whole: prepareReply({ ...always, ...encoded, 'content-type': file.type }, file.bodies[encoding]),
      unchanged: prepareReply(always),
    };
  };
  const answers = { br: answersIn('br'), gzip: answersIn('gzip'), identity: answersIn('identity') };
  return {
    route,
    replyTo(asked) {
      const { tag, whole, unchanged } = answers[chooseEncoding(asked['accept-encoding'])];
      return matches(asked['if-none-match'], tag) ? unchanged : whole;
    },
  };
}

/** An answer for one visitor alone: compressed as well as can be had at once, and kept nowhere. */
export async function sendOnce(request: FastifyRequest, reply: FastifyReply, content: string, type: string) {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  reply.headers({ vary: 'accept-encoding', 'cache-control': 'no-store' }).type(type);
  if (encoding === 'identity') return reply.send(content);
  const identity = Buffer.from(content);
  const body =
    encoding === 'br'
      ? await brotli(identity, { params: brotliParams('quick', identity.length) })
      : await zip(identity);
  return reply.header('content-encoding', encoding).send(body);
}

/** A proxy may have made the tag a weak one on the way; a page is still the same page. */
function matches(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}
