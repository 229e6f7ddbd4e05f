const chunkedEnd = '\r\n0\r\n\r\n';

/**
 * Reads the responses on one connection only as far as needed to find where each ends: its status, and the length of its
 * body (Infinity where the body is chunked). For clients that send the next request after the response.
 */
export function createResponseReader(
  onResponse: (status: number, length: number) => void,
): (bytes: Buffer) => void {
  let head = '';
  let status = 0;
  let length = 0;
  /** Bytes of the body still to come; Infinity where the body is chunked. */
  let missing = 0;
  let tail = '';

  function readHead(bytes: Buffer): void {
    const end = bytes.indexOf('\r\n\r\n');
    const isWhole = head === '' && end >= 0;
    head += bytes.toString('latin1', 0, isWhole ? end : bytes.length);
    const endInAll = isWhole ? end : head.indexOf('\r\n\r\n');
    if (endInAll < 0) return;
    const bodyHere = isWhole ? bytes.length - end - 4 : head.length - endInAll - 4;
    const headers = head.slice(0, endInAll);
    head = '';
    status = Number(headers.slice(9, 12));
    length = bodyLength(headers, status);
    missing = length;
    readBody(bytes.subarray(bytes.length - bodyHere));
  }

  function readBody(bytes: Buffer): void {
    if (missing === Number.POSITIVE_INFINITY) {
      tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - chunkedEnd.length))).slice(
        -chunkedEnd.length,
      );
      // An empty chunked body has no line break before its last chunk.
      if (tail === chunkedEnd || tail === chunkedEnd.slice(2)) missing = 0;
    } else missing -= bytes.length;
    if (missing < 0) throw new Error(`More bytes came than the response announced, with status ${status}`);
    if (missing > 0) return;
    const finished = status;
    status = 0;
    tail = '';
    onResponse(finished, length);
  }

  return (bytes) => (status === 0 ? readHead(bytes) : readBody(bytes));
}

function bodyLength(headers: string, status: number): number {
  if (status === 304 || status === 204) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
  if (length !== undefined) return Number(length);
  if (/\r\ntransfer-encoding: *chunked/i.test(headers)) return Number.POSITIVE_INFINITY;
  throw new Error(`A response with status ${status} did not announce its length`);
}
