import { expect, test } from 'vitest';
import { measureInterleaved, ratios } from '../../bench/interleaved.ts';
import { describeFinding, isWithinBounds, median, spreadOf } from '../../bench/report.ts';
import { compareResults, describeRate } from '../../bench/throughput/comparison.ts';
import { parseCores } from '../../bench/throughput/cores.ts';
import type { LoadResult } from '../../bench/throughput/load-client.ts';
import { createResponseReader } from '../../bench/throughput/response-reader.ts';

/** How the bench computes and prints its figures. */

test('each side is measured once a round, another side first each time, and the first round does not count', async () => {
  const order: string[] = [];
  const samples = await measureInterleaved(['ours', 'bare'], 3, async (side) => order.push(side));
  expect(order).toEqual(['ours', 'bare', 'bare', 'ours', 'ours', 'bare', 'bare', 'ours']);
  expect(samples).toEqual({ ours: [4, 5, 8], bare: [3, 6, 7] });
});

test('a ratio is of two samples of the same round', () => {
  expect(ratios([1, 6], [2, 3])).toEqual([0.5, 2]);
});

test('the median and the spread are measured numbers, and one bad round in seven is in neither', () => {
  const rounds = [5, 1, 4, 1_000, 3, 2, 6];
  expect(median(rounds)).toBe(4);
  expect(spreadOf(rounds)).toEqual({ low: 2, high: 6 });
  expect(spreadOf([7])).toEqual({ low: 7, high: 7 });
});

test('a figure is printed in one line with its spread, its bound and its note', () => {
  const finding = { name: 'pages, of bare', value: 0.531, atLeast: 0.5, spread: { low: 0.5, high: 0.6 } };
  const line = describeFinding({ ...finding, note: 'by processor 0.54' });
  expect(line).toMatch(/^✓ pages, of bare +0\.53 \(0\.50–0\.60\) +at least 0\.5 {2}by processor 0\.54$/);
  expect(describeFinding({ ...finding, value: 0.49 })).toMatch(/^✗/);
  expect(describeFinding({ name: 'without a bound', value: 1_234 })).toMatch(
    /^ {2}without a bound +1,234 +$/,
  );
});

test('a figure that could not be measured is not within its bounds', () => {
  expect(isWithinBounds({ name: 'nothing', value: Number.NaN, atLeast: 0.5 })).toBe(false);
});

test('servers are compared in time and by processor time, round by round', () => {
  const result = (responses: number, serverSeconds: number): LoadResult => ({
    responses,
    seconds: 2,
    serverSeconds,
    clientSeconds: 0.5,
    othersOnCore: 0,
  });
  const ours = [result(1_000, 1), result(1_200, 1), result(1_400, 1)];
  const bare = [result(2_000, 1), result(4_800, 2), result(2_800, 1)];
  const { inTime, byProcessor } = compareResults(ours, bare);
  expect(inTime).toEqual({ value: 0.5, spread: { low: 0.25, high: 0.5 } });
  expect(byProcessor.value).toBe(0.5);
  expect(describeRate(ours)).toBe('600 (500–700)');
});

test('the cores this process may use are read as Linux writes them', () => {
  expect(parseCores('0-2,5')).toEqual([0, 1, 2, 5]);
  expect(parseCores('3')).toEqual([3]);
  expect(parseCores('')).toEqual([]);
});

/** The status and the length of each response, read in pieces of `size` bytes. */
function readInPieces(text: string, size: number): string[] {
  const found: string[] = [];
  const read = createResponseReader((status, length) => found.push(`${status} ${length}`));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  return found;
}

test.each([1, 2, 3, 7, 10_000])('a response counts once, also in pieces of %i bytes', (size) => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\nx: y\r\n\r\n0\r\n\r\n0\r\n\r\nab';
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
  const emptyChunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
  const unchanged = 'HTTP/1.1 304 Not Modified\r\netag: "a"\r\n\r\n';
  const empty = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
  expect(readInPieces(whole, size)).toEqual(['200 12']);
  expect(readInPieces(unchanged, size)).toEqual(['304 0']);
  expect(readInPieces(empty, size)).toEqual(['200 0']);
  for (const response of [chunked, emptyChunked])
    expect(readInPieces(response, size)).toEqual(['200 Infinity']);
});

test('bytes after the end of a response are an error', () => {
  expect(() => readInPieces('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab', 1_000)).toThrow('More bytes');
});
