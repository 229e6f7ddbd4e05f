import { expect, test } from 'vitest';
import { content, renderPages } from '../../../test/support/rendered-pages.ts';
import { addDays } from '../time/nz-time.ts';

const closed = [
  { from: '2026-12-24', until: '2027-01-11' },
  { from: '2027-04-02', until: '2027-04-05' },
  { from: '2027-09-24', until: '2027-09-28' },
];
const site = { ...content.site, closed };
const said = (page: string) => [
  /(\d{4})<\/h1>/.exec(page)?.[1],
  /"notice":"We (are|will)/.exec(page)?.[1] ?? 'open',
];

test('pages change at midnight in New Zealand, over months and both changes of the clocks, and at no other time', async () => {
  const { pages, world, html } = await renderPages({ site, now: '2026-12-01T00:00:00Z' });
  const changes: string[] = [];
  const { rendered } = world;
  // For ten months somebody comes in the minutes around midnight, by summer and winter time, and in between.
  const minutes = ['00:00', '10:59', '11:00', '11:59', '12:00', '12:59', '13:00', '20:00'];
  for (let visit = 0; visit < 305 * minutes.length; visit++) {
    const day = addDays('2026-12-01', Math.floor(visit / minutes.length));
    world.now = new Date(`${day}T${minutes[visit % minutes.length]}:00Z`);
    const before = world.rendered;
    await pages.find('/');
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

test('a page of yesterday is neither found nor confirmed; a clock that jumps is followed both ways', async () => {
  const { pages, world, ask, html } = await renderPages({ site, now: '2026-12-23T10:59:59Z' });
  const etags = { home: (await ask('home')).headers.etag, help: (await ask('help')).headers.etag };
  expect(pages.findReady('/')).not.toBeNull();
  world.now = new Date('2026-12-23T11:00:00Z');
  expect([pages.findReady('/'), pages.findReady('/help')]).toEqual([null, null]);
  // The first visitor waits for the pages to be rendered, and so does one who comes meanwhile.
  const { rendered } = world;
  const both = await Promise.all([html('home'), html('help')]);
  expect(both.map((page) => said(page)[1])).toEqual(['are', 'are']);
  expect(world.rendered - rendered).toBe(5 + 2);
  for (const name of ['home', 'help'] as const)
    expect((await ask(name, { 'if-none-match': etags[name] })).status).toBe(200);
  world.now = new Date('2031-07-01T00:00:00Z');
  expect(said(await html('help'))).toEqual(['2031', 'open']);
  world.now = new Date('2026-12-23T10:59:00Z');
  expect(said(await html('help'))).toEqual(['2026', 'will']);
});

test('pages of a new day that could not be rendered are tried again, also for the answer to a form', async () => {
  const { pages, world, html, failures } = await renderPages({ site, now: '2026-12-23T10:59:59Z' });
  world.site = { ...site, email: 'broken' };
  world.now = new Date('2026-12-23T11:00:00Z');
  expect(said(await html('help'))).toEqual(['2026', 'will']);
  expect(failures).toHaveLength(1);
  world.site = site;
  world.now = new Date('2026-12-23T11:01:00Z');
  const answer = await pages.renderPosted('help', { status: 'failed', answers: {} }, null);
  expect(said(answer.html)).toEqual(['2026', 'are']);
});

test('without a closure a page has not a byte about one', async () => {
  const { html } = await renderPages();
  expect(await html('help')).not.toContain('closed');
});
