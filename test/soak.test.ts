import { expect, test } from 'vitest';
import { isKept } from '../bench/report.ts';
import { judgeSamples } from '../bench/soak/findings.ts';
import { findMailedTwice, requestsIn } from '../bench/soak/mails.ts';
import type { Sample } from '../bench/soak/samples.ts';
import { type Mail, writeMail } from '../src/server/delivery/mail.ts';

/** Forty samples of a server that is always the same, but for what is said of the nth. */
function samplesOf(change: (n: number) => Partial<Sample>): Sample[] {
  const same = { residentMegabytes: 200, heapMegabytes: 50, handles: 80, loopMs: 20, idleLoopMs: 12 };
  return Array.from({ length: 40 }, (_, n) => ({ ...same, seconds: n * 15, ...change(n) }));
}
const [memory, delay] = [0, 1];
const holds = (change: (n: number) => Partial<Sample>, finding: number) =>
  judgeSamples(samplesOf(change)).map(isKept)[finding];

test('a server that stays the same passes, also after a start that took memory', () => {
  expect(judgeSamples(samplesOf(() => ({}))).every(isKept)).toBe(true);
  expect(holds((n) => ({ residentMegabytes: 200 - 100 / (n + 1) }), memory)).toBe(true);
});

test('memory that goes up and down passes, and memory that only goes up does not', () => {
  expect(holds((n) => ({ residentMegabytes: n % 2 ? 300 : 200 }), memory)).toBe(true);
  expect(holds((n) => ({ residentMegabytes: 200 + 5 * n }), memory)).toBe(false);
});

test('a loop that slows down does not pass, unless one that has nothing to do slows down with it', () => {
  expect(holds((n) => ({ loopMs: 20 + n }), delay)).toBe(false);
  expect(holds((n) => ({ loopMs: 20 + n, idleLoopMs: 12 + 0.6 * n }), delay)).toBe(true);
});

async function taken(changes: Partial<Mail>) {
  const { raw, envelope } = await writeMail({
    ...{ name: 'HK7W-3RQX', subject: 'A sample', text: 'A sample', html: 'A sample', date: new Date(0) },
    ...{ from: { name: 'Sample', address: 'website@trust.example' }, to: ['help@trust.example'] },
    ...changes,
  });
  return { ...envelope, raw: raw.toString('latin1'), encrypted: false };
}

test('a mail is known by its request, one with several by all of them, and an alarm by none', async () => {
  const references = Array.from({ length: 30 }, (_, n) => `HK7W-3RQ${'34679CDFHJKPQRTWXY'[n % 18]}`);
  expect(requestsIn(await taken({}))).toEqual(['HK7W-3RQX']);
  expect(requestsIn(await taken({ name: 'held-HK7W-3RQ3', requests: references }))).toEqual(references);
  expect(requestsIn(await taken({ name: 'alarm-keeping-1' }))).toEqual([]);
});

test('what was accepted once alone and once among others was mailed twice', async () => {
  const one = await taken({});
  const other = await taken({ name: 'HK7W-3RQY' });
  const held = await taken({ name: 'held-HK7W-3RQX', requests: ['HK7W-3RQX', 'HK7W-3RQC'] });
  expect(findMailedTwice([one, other])).toEqual([]);
  expect(findMailedTwice([one, other, held])).toEqual(['HK7W-3RQX']);
});
