import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { content, renderPages } from '../../../test/support/rendered-pages.ts';
import { addDays } from '../time/nz-time.ts';

const closed = [
  { from: '2026-12-24', until: '2027-01-11' },
  { from: '2027-04-02', until: '2027-04-05' },
  { from: '2027-09-24', until: '2027-09-28' },
];
const site = { ...content.site, closed };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return () => void vi.useRealTimers();
});

/** The seconds that may pass until the pages follow the clock, and the time that rendering takes. */
async function passSeconds(): Promise<void> {
  vi.advanceTimersByTime(5_000);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}

const said = (page: string) => [
  /(\d{4})<\/h1>/.exec(page)?.[1],
  /"notice":"We (are|will)/.exec(page)?.[1] ?? 'open',
];

test('pages change at midnight in New Zealand, over months and both changes of the clocks, and at no other time', async () => {
  const { world, html } = await renderPages({ site, now: '2026-12-01T00:00:00Z' });
  const changes: string[] = [];
  const { rendered } = world;
  // The minutes around midnight, by summer and winter time, of the days around each change and of one day in each week.
  const minutes = ['00:00', '10:59', '11:00', '11:59', '12:00', '12:59'];
  const near = [
    '2026-12-16',
    '2026-12-23',
    '2026-12-31',
    '2027-01-10',
    '2027-03-25',
    '2027-04-01',
    '2027-04-04',
  ];
  const late = ['2027-09-16', '2027-09-23', '2027-09-27'];
  const weekly = Array.from({ length: 43 }, (_, week) => addDays('2026-12-01', 7 * week));
  const days = new Set([...[...near, ...late].flatMap((day) => [addDays(day, -1), day]), ...weekly]);
  const looks = [...days].sort().flatMap((day) => minutes.map((minute) => [day, minute]));
  for (const [day, minute] of looks) {
    world.now = new Date(`${day}T${minute}:00Z`);
    const before = world.rendered;
    await passSeconds();
    if (world.rendered === before) continue;
    const [year, state] = said(await html('home'));
    changes.push(`${world.now.toISOString().slice(0, 16)} ${year} ${state}`);
  }
  expect(changes).toEqual([
    '2026-12-16T11:00 2026 will',
    '2026-12-23T11:00 2026 are',
    '2026-12-31T11:00 2027 are',
    '2027-01-10T11:00 2027 open',
    '2027-03-25T11:00 2027 will',
    '2027-04-01T11:00 2027 are',
    '2027-04-04T12:00 2027 open',
    '2027-09-16T12:00 2027 will',
    '2027-09-23T12:00 2027 are',
    '2027-09-27T11:00 2027 open',
  ]);
  expect(world.rendered - rendered).toBe(changes.length * rendered);
});

test('a visit brings no page of a new day about; a clock that jumps is followed both ways', async () => {
  const { world, ask, html } = await renderPages({ site, now: '2026-12-23T10:59:59Z' });
  const { etag = '' } = (await ask('help')).headers;
  world.now = new Date('2026-12-23T11:00:00Z');
  expect((await ask('help', { 'if-none-match': etag })).status).toBe(304);
  await passSeconds();
  expect((await ask('help', { 'if-none-match': etag })).status).toBe(200);
  expect(said(await html('help'))).toEqual(['2026', 'are']);
  world.now = new Date('2031-07-01T00:00:00Z');
  await passSeconds();
  expect(said(await html('help'))).toEqual(['2031', 'open']);
  world.now = new Date('2026-12-23T10:59:00Z');
  await passSeconds();
  expect(said(await html('help'))).toEqual(['2026', 'will']);
});

test('pages of a new day that could not be rendered are tried again, also for the answer to a form', async () => {
  const { pages, world, html, failures } = await renderPages({ site, now: '2026-12-23T10:59:59Z' });
  world.site = { ...site, email: 'broken' };
  world.now = new Date('2026-12-23T11:00:00Z');
  await passSeconds();
  expect(said(await html('help'))).toEqual(['2026', 'will']);
  expect(failures).toHaveLength(1);
  world.site = site;
  const answer = await pages.renderPosted('help', { status: 'failed', answers: {} }, null);
  expect(said(answer.html)).toEqual(['2026', 'are']);
});

test('without a closure a page has not a byte about one', async () => {
  const { html } = await renderPages();
  expect(await html('help')).not.toContain('closed');
});
