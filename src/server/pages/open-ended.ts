import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, deflateRaw } from 'node:zlib';
import { brotliParams, hashOf, type KeptFile, type Packing } from './compressed-file.ts';

/**
 * A page that is the same for everybody but for a few last bytes, which are new every second. All but these is
 * compressed once, as small as it gets; the end is put behind it as it is, which both formats allow.
 */
export interface OpenEnded {
  type: string;
  /** Of all but the end. */
  hash: string;
  length: number;
  crc: number;
  start: Record<'br' | 'deflate' | 'identity', Buffer>;
}

const brotli = promisify(brotliCompress);
const deflate = promisify(deflateRaw);

export async function keepOpenEnded(
  content: string,
  type: string,
  packing: Packing = 'small',
): Promise<OpenEnded> {
  const identity = Buffer.from(content);
  const [br, deflated] = await Promise.all([
    brotli(identity, {
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
      params: brotliParams(packing, identity.length),
    }),
    deflate(identity, { finishFlush: constants.Z_SYNC_FLUSH, level: 9 }),
  ]);
  return {
    type,
    hash: hashOf(identity, packing),
    length: identity.length,
    crc: crc32(identity),
    start: { br, deflate: deflated, identity },
  };
}

/** @param end at most 64 KiB. */
export function endWith({ type, hash, length, crc, start }: OpenEnded, end: string): KeptFile {
  const last = Buffer.from(end);
  return {
    type,
    hash,
    isWeak: true,
    bodies: {
      identity: Buffer.concat([start.identity, last]),
      br: Buffer.concat([start.br, brotliUncompressed(last), brotliEnd]),
      gzip: Buffer.concat([
        gzipHead,
        start.deflate,
        deflateStored(last),
        littleEndian(crc32(last, crc), 4),
        littleEndian(length + last.length, 4),
      ]),
    },
  };
}

/** RFC 7932, 9.2: not the last meta-block, its length less one in 16 bits, uncompressed. */
const brotliUncompressed = (bytes: Buffer) =>
  Buffer.concat([littleEndian(((bytes.length - 1) << 3) | (1 << 19), 3), bytes]);
/** The last one, and empty. */
const brotliEnd = Buffer.from([0b11]);

/** RFC 1951, 3.2.4: the last block, stored. */
const deflateStored = (bytes: Buffer) =>
  Buffer.concat([
    Buffer.from([1]),
    littleEndian(bytes.length, 2),
    littleEndian(~bytes.length & 0xff_ff, 2),
    bytes,
  ]);
/** RFC 1952, 2.3: deflate, no name, no time, no system. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 0xff]);

function littleEndian(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntLE(value, 0, length);
  return bytes;
}
