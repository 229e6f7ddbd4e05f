import { expect, test } from 'vitest';
import { describeFinding, isKept, median, spreadOf } from '../bench/report.ts';
import { createAnswerReader } from '../bench/throughput/answer-reader.ts';
import { ratios, takeTurns } from '../bench/throughput/by-turns.ts';
import { parseCores } from '../bench/throughput/cores.ts';
import type { Outcome } from '../bench/throughput/load-client.ts';
import { compareOutcomes, describeRate } from '../bench/throughput/side-by-side.ts';

/** What the bench does with its figures. The figures themselves are the bench's. */

test('each side has its turn in each round, another one first every time, and the first round does not count', async () => {
  const turns: string[] = [];
  const samples = await takeTurns(['ours', 'bare'], 3, async (side) => turns.push(side));
  expect(turns).toEqual(['ours', 'bare', 'bare', 'ours', 'ours', 'bare', 'bare', 'ours']);
  expect(samples).toEqual({ ours: [4, 5, 8], bare: [3, 6, 7] });
});

test('a ratio is one of two that were measured in the same round', () => {
  expect(ratios([1, 6], [2, 3])).toEqual([0.5, 2]);
});

test('the median and the spread are numbers that were measured, and one bad round in seven is in neither', () => {
  const rounds = [5, 1, 4, 1_000, 3, 2, 6];
  expect(median(rounds)).toBe(4);
  expect(spreadOf(rounds)).toEqual({ low: 2, high: 6 });
  expect(spreadOf([7])).toEqual({ low: 7, high: 7 });
});

test('a figure stands in one line, with its spread, its bound and what else there is to know', () => {
  const finding = { name: 'pages, of bare', value: 0.531, atLeast: 0.5, spread: { low: 0.5, high: 0.6 } };
  const line = describeFinding({ ...finding, beside: 'by processor 0.54' });
  expect(line).toMatch(/^✓ pages, of bare +0\.53 \(0\.50–0\.60\) +at least 0\.5 {2}by processor 0\.54$/);
  expect(describeFinding({ ...finding, value: 0.49 })).toMatch(/^✗/);
  expect(describeFinding({ name: 'told only', value: 1_234 })).toMatch(/^ {2}told only +1,234 +$/);
});

test('a figure that could not be measured keeps no bound', () => {
  expect(isKept({ name: 'nothing', value: Number.NaN, atLeast: 0.5 })).toBe(false);
});

test('servers are compared in time and by processor time, round by round', () => {
  const outcome = (answered: number, serverSeconds: number): Outcome => ({
    answered,
    seconds: 2,
    serverSeconds,
    clientSeconds: 0.5,
    othersOnCore: 0,
  });
  const ours = [outcome(1_000, 1), outcome(1_200, 1), outcome(1_400, 1)];
  const bare = [outcome(2_000, 1), outcome(4_800, 2), outcome(2_800, 1)];
  const { inTime, byProcessor } = compareOutcomes(ours, bare);
  expect(inTime).toEqual({ value: 0.5, spread: { low: 0.25, high: 0.5 } });
  expect(byProcessor.value).toBe(0.5);
  expect(describeRate(ours)).toBe('600 (500–700)');
});

test('the cores this process may use are read as Linux writes them', () => {
  expect(parseCores('0-2,5')).toEqual([0, 1, 2, 5]);
  expect(parseCores('3')).toEqual([3]);
  expect(parseCores('')).toEqual([]);
});

/** The status and the length of each answer that a reader found, however the bytes were cut. */
function readInPieces(text: string, size: number): string[] {
  const found: string[] = [];
  const read = createAnswerReader((status, length) => found.push(`${status} ${length}`));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  return found;
}

test.each([1, 2, 3, 7, 10_000])('an answer counts once, in pieces of %i bytes too', (size) => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\nx: y\r\n\r\n0\r\n\r\n0\r\n\r\nab';
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
  const emptyChunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
  const unchanged = 'HTTP/1.1 304 Not Modified\r\netag: "a"\r\n\r\n';
  const empty = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
  expect(readInPieces(whole, size)).toEqual(['200 12']);
  expect(readInPieces(unchanged, size)).toEqual(['304 0']);
  expect(readInPieces(empty, size)).toEqual(['200 0']);
  for (const answer of [chunked, emptyChunked]) expect(readInPieces(answer, size)).toEqual(['200 Infinity']);
});

test('an answer that goes on after its end is no answer', () => {
  expect(() => readInPieces('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab', 1_000)).toThrow('More came');
});
