const chunkedEnd = '\r\n0\r\n\r\n';

/**
 * Reads the answers on one connection just as far as to know where each ends, what its status is and how long its body,
 * Infinity where that was not said: whoever measures servers must do less than any of them. Good for clients that ask for the next only after the answer.
 */
export function createAnswerReader(
  onAnswer: (status: number, length: number) => void,
): (bytes: Buffer) => void {
  let head = '';
  let status = 0;
  let length = 0;
  /** Bytes of the body still to come; Infinity where only its end tells. */
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
      // A body without a byte is its end alone.
      if (tail === chunkedEnd || tail === chunkedEnd.slice(2)) missing = 0;
    } else missing -= bytes.length;
    if (missing < 0) throw new Error(`More came than was asked for, after an answer with ${status}`);
    if (missing > 0) return;
    const answered = status;
    status = 0;
    tail = '';
    onAnswer(answered, length);
  }

  return (bytes) => (status === 0 ? readHead(bytes) : readBody(bytes));
}

function bodyLength(headers: string, status: number): number {
  if (status === 304 || status === 204) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
  if (length !== undefined) return Number(length);
  if (/\r\ntransfer-encoding: *chunked/i.test(headers)) return Number.POSITIVE_INFINITY;
  throw new Error(`An answer with ${status} did not say how long it is`);
}
