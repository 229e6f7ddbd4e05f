import { expect, test } from 'vitest';
import { isWithinBounds } from '../bench/report.ts';
import { requestsIn } from '../bench/soak/mailed-requests.ts';
import { judgeSamples, type Sample } from '../bench/soak/samples.ts';
import { type Mail, writeMail } from '../src/server/delivery/mail.ts';

/** Forty samples of a server that always stays the same, with changes to the nth. */
function samplesOf(change: (n: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 40 }, (_, n) => ({
    ...{ seconds: n * 15, residentMegabytes: 200, handles: 80, processorSeconds: n, visits: 1_000 * n },
    ...change(n),
  }));
}
const [memory, processor] = [0, 1];
const passes = (change: (n: number) => Partial<Sample>, finding: number) =>
  judgeSamples(samplesOf(change)).map(isWithinBounds)[finding];

test('a server that stays the same passes, also after a start that took memory', () => {
  expect(judgeSamples(samplesOf(() => ({}))).every(isWithinBounds)).toBe(true);
  expect(passes((n) => ({ residentMegabytes: 200 - 100 / (n + 1) }), memory)).toBe(true);
});

test('memory that goes up and down passes, and memory that only goes up does not', () => {
  expect(passes((n) => ({ residentMegabytes: n % 2 ? 300 : 200 }), memory)).toBe(true);
  expect(passes((n) => ({ residentMegabytes: 200 + 5 * n }), memory)).toBe(false);
});

test('a server that needs ever more processor time a visit does not pass, and one with more visits does', () => {
  expect(passes((n) => ({ processorSeconds: n ** 2 }), processor)).toBe(false);
  expect(passes((n) => ({ processorSeconds: n ** 2, visits: 1_000 * n ** 2 }), processor)).toBe(true);
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
