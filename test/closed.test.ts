import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContent } from '../src/server/content/content.ts';
import { composeAwayPage } from '../src/server/pages/away-page.ts';
import { loadBuiltRenderer } from '../src/server/pages/built-renderer.ts';
import { lastHolidayYear } from '../src/server/time/holidays.ts';
import { awhina } from './support/command.ts';
import { serve } from './support/running-server.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { wrongBy } from './support/wrong-clocks.ts';

/** A trust that closes over Christmas. */

const minute = 60_000;

async function writeContent(closed: string): Promise<string> {
  const folder = temporaryFolder();
  await cp('content', folder, { recursive: true });
  await mkdir(join(folder, 'pages'));
  await writeFile(join(folder, 'pages/about-us.md'), '---\ntitle: About us\n---\nWe answer {answerWithin}.');
  const path = join(folder, 'site.yaml');
  await writeFile(path, `${await readFile(path, 'utf8')}\n${closed}\n`);
  return folder;
}
const christmas = 'closed: { from: 2026-12-24, until: 2027-01-11, message: We are on holiday. }';
const shiftTo = (time: string) => Date.parse(time) - Date.now();

test('a running server changes every page at midnight in New Zealand, for a browser that has one already too', async () => {
  const server = await serve({
    CONTENT_DIR: await writeContent(christmas),
    DATA_DIR: temporaryFolder(),
    ...wrongBy(shiftTo('2026-12-23T10:00:00Z'), 90 * minute),
  });
  const ask = (path: string, etag?: string | null) =>
    fetch(server.url + path, { headers: etag ? { 'if-none-match': etag } : {} });
  const etags = new Map<string, string | null>();
  for (const path of ['/', '/help', '/contact', '/about-us']) {
    const answer = await ask(path);
    etags.set(path, answer.headers.get('etag'));
    expect(await answer.text()).toContain('We are on holiday. We will be closed from Thursday 24 December.');
    // The home page has a copy for each cover.
    if (path !== '/') expect((await ask(path, etags.get(path))).status).toBe(304);
  }

  server.process.kill('SIGUSR2');
  await expect.poll(() => server.lines).toContain('The clock was set');
  // The browser's own post, before anybody has asked for a page of the new day.
  const receipt = await fetch(`${server.url}/contact`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'FirstName=Sample&Email=sample%40visitor.example&Subject=A+question&Message=Some+words',
  });
  const said = (await receipt.text()).split('id="page-data"')[0];
  expect(said).toContain('We are closed now. Somebody will read this on Monday 11 January.');
  expect(said).toContain('We will reply once we are open again, from Monday 11 January.');
  expect(said).toContain('If you are in danger, call 111 now.');
  expect(said).not.toContain('within two working days');
  for (const [path, etag] of etags) {
    // The pages follow the clock within seconds.
    const status = async () => (await ask(path, etag)).status;
    await expect.poll(status, { timeout: 60_000 }).toBe(200);
    const page = await (await ask(path)).text();
    expect(page).toContain('We are on holiday. We are closed now. We open again on Monday 11 January.');
    if (path === '/about-us')
      expect(page).toContain('We answer once we are open again, from Monday 11 January.');
  }
});

test('the page for while the site is away says so too, after 111', async () => {
  const content = await readContent(await writeContent(christmas));
  const compose = async (time: string) =>
    composeAwayPage(await loadBuiltRenderer(), content, false, new Date(time));
  const page = await compose('2026-12-25T00:00:00Z');
  expect(page).toMatch(/href="tel:111".*<p id="closed">We are on holiday\. We are closed now\..*<h1>/s);
  expect(page).toContain('Closed now, open again on Monday 11 January');
  expect(await compose('2027-01-12T00:00:00Z')).not.toContain('closed');
});

test('check says when the pages speak of it, and which closure is over or ends on a weekend', async () => {
  const closures = '[{ from: 2026-04-03, until: 2026-04-07 }, { from: 2026-12-24, until: 2027-01-10 }]';
  const { code, out } = await awhina(['check'], {
    CONTENT_DIR: await writeContent(`closed: ${closures}`),
    DATA_DIR: temporaryFolder(),
    ...wrongBy(shiftTo('2026-11-15T00:00:00Z')),
  });
  expect(code).toBe(0);
  expect(out).toContain(
    'When you are closed:\n  from Thursday 24 December 2026; somebody reads again on Sunday 10 January 2027. Every page says so from Thursday 17 December 2026\n',
  );
  expect(out).toContain('site.yaml: closed from 2026-04-03 until 2026-04-07 is over: its lines can go.');
  expect(out).toContain('Sunday 10 January is promised as the day somebody reads again. Is it?');
  expect(out).not.toContain('public holidays');
});

test('check says a year before that the list of public holidays ends', async () => {
  const { out } = await awhina(['check'], {
    DATA_DIR: temporaryFolder(),
    ...wrongBy(shiftTo(`${lastHolidayYear}-01-02T00:00:00Z`)),
  });
  expect(out).toContain(`this version knows the public holidays until the end of ${lastHolidayYear}`);
});

const tooLong = 'closed: { from: 2026-12-01, until: 2027-02-25 }';
const refused = 'closed from 2026-12-01 is too long: a request of';

test('check refuses a closure that leaves less than ten working days before a request is erased unseen', async () => {
  const check = async (closed: string, env: Record<string, string> = {}) =>
    awhina(['check'], {
      CONTENT_DIR: await writeContent(closed),
      DATA_DIR: temporaryFolder(),
      ...wrongBy(shiftTo('2026-11-18T00:00:00Z')),
      ...env,
    });
  expect(await check(tooLong)).toMatchObject({ code: 1, out: expect.stringContaining(refused) });
  const needed = /UNSEEN_RETENTION_DAYS to (\d+)/.exec((await check(tooLong)).out)?.[1] ?? '';
  expect(await check(tooLong, { UNSEEN_RETENTION_DAYS: needed })).toMatchObject({ code: 0 });
  const less = String(Number(needed) - 1);
  expect(await check(tooLong, { UNSEEN_RETENTION_DAYS: less })).toMatchObject({ code: 1 });
  expect(await check(tooLong, { REMINDERS: 'off' })).toMatchObject({ code: 0 });
  expect((await check(christmas, { UNSEEN_RETENTION_DAYS: '20', RETENTION_DAYS: '20' })).out).toContain(
    'UNSEEN_RETENTION_DAYS must be a whole number from 21 to 3650',
  );
  // Over Christmas nobody works for 18 days.
  const note = 'nobody works for 18 days from Thursday 24 December 2026, and RETENTION_DAYS is';
  expect((await check(christmas)).out).not.toContain('nobody works');
  expect((await check(christmas, { RETENTION_DAYS: '24' })).out).toContain(`${note} 24`);
});

test('a start refuses such a closure; a running server shows the content from before it', async () => {
  const CONTENT_DIR = await writeContent('closed: { from: 2026-12-01, until: 2026-12-02 }');
  const settings = {
    ...{ CONTENT_DIR, DATA_DIR: temporaryFolder(), REMINDERS: 'on' },
    ...wrongBy(shiftTo('2026-11-30T00:00:00Z')),
  };
  const server = await serve(settings);
  const path = join(CONTENT_DIR, 'site.yaml');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('2026-12-02', '2027-02-25'));
  await expect.poll(() => server.lines.join('\n')).toContain(refused);
  expect(await (await fetch(server.url)).text()).toContain('Tuesday 1 December');
  await expect(startServer({ ...settings, DATA_DIR: temporaryFolder() })).rejects.toThrow(refused);
});
