import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatPeriod, quarterBefore, quarterOf } from '../src/report/quarters.ts';
import { nzTime } from '../src/server/time/nz-time.ts';
import { awhina, awhinaShared } from './support/command.ts';
import { prepareCommands } from './support/commands.ts';
import { makeFolders } from './support/content-folder.ts';
import { parseCsv } from './support/csv.ts';
import { inventCounts } from './support/invented-counts.ts';
import { temporaryFolder } from './support/temporary.ts';

const period = ['--from', '2025-07', '--to', '2025-09'];
const kinds = { Counselling: 17, Housing: 6, 'Something else': 3, 'Someone to talk to': 25 };
const ticks = { true: 8, false: 32 };

/** Three months of requests, and of a month before them; of the messages there are too few. */
const invented = inventCounts([
  { day: '2025-05-07', count: 12, choices: { SupportNeeded: { Counselling: 10, Housing: 2 } } },
  { day: '2025-07-07', count: 14, choices: { SupportNeeded: kinds, ForSomeoneElse: ticks } },
  { day: '2025-08-12', count: 15, hour: 20, languages: { sm: 7, to: 2 } },
  { day: '2025-09-10', count: 8 },
  { day: '2025-09-14', count: 3, answered: { 86400: 22, 259200: 15, 604800: 3 } },
  { day: '2025-09-15', form: 'contact', count: 3, answered: { 3600: 3 } },
]);

describe('awhina report', () => {
  const emptyStore = async () => (await prepareCommands()).environment;
  async function open() {
    const { store, environment } = await prepareCommands();
    await store.mergeCounts(invented);
    return environment;
  }

  test('the page, the spreadsheet, the JSON and the terminal say the same, and no small number', async () => {
    const [env, folder] = [await open(), temporaryFolder()];
    const [page, json, csv, stats, statsJson] = await Promise.all([
      awhinaShared(['report', ...period, '--out', join(folder, 'report.html')], env),
      awhinaShared(['report', ...period, '--json'], env),
      awhinaShared(['report', ...period, '--csv'], env),
      awhinaShared(['stats', ...period], env),
      awhinaShared(['stats', ...period, '--json'], env),
    ]);
    expect(page).toMatchObject({ code: 0 });
    expect(page.out).toContain('July to September 2025');
    const html = readFileSync(join(folder, 'report.html'), 'utf8')
      .replaceAll(/<\/?span[^>]*>/g, '')
      .replaceAll('&#39;', "'");
    const { tables } = JSON.parse(json.out) as {
      tables: {
        subject: string;
        form: string;
        field?: string;
        rows: { label: string; least: number; most: number }[];
      }[];
    };
    const rowsOf = (form: string, subject: string, field?: string) =>
      tables.find((one) => one.form === form && one.subject === subject && one.field === field)?.rows;
    expect(rowsOf('help', 'total')).toMatchObject([{ least: 40, before: { least: 12 }, change: 28 }]);
    expect(rowsOf('help', 'months')?.map(({ least }) => least)).toEqual([14, 15, 11]);
    expect(rowsOf('help', 'weekdays')).toMatchObject([
      { label: 'Monday', least: 14, most: 14 },
      { label: 'Tuesday', least: 15, most: 15 },
      { label: 'Wednesday and Thursday', least: 7, most: 11 },
      { label: 'Friday to Sunday', least: 0, most: 4 },
    ]);
    expect(rowsOf('help', 'question', 'SupportNeeded')).toContainEqual(
      expect.objectContaining({ label: 'Something else', least: 0, most: 4, change: null }),
    );
    expect(rowsOf('help', 'question', 'ForSomeoneElse')).toMatchObject([{ least: 8 }, { least: 32 }]);
    expect(rowsOf('help', 'languages')?.filter(({ least }) => least > 0)).toMatchObject([
      { label: 'Samoan', least: 7, most: 7 },
    ]);
    expect(rowsOf('contact', 'languages')).toBeUndefined();
    for (const { out } of [json, csv, stats]) expect(out).not.toContain('Tongan');
    expect(rowsOf('contact', 'total')).toMatchObject([{ least: 0, most: 4 }]);
    const words = 'half within a day, nine in ten within three days';
    expect(JSON.parse(json.out).answered).toEqual([
      { form: 'help', period: 'July to September 2025', half: 86_400, nineInTen: 259_200, words },
    ]);
    for (const text of [html, csv.out, stats.out]) expect(text.split(words)).toHaveLength(2);
    expect(statsJson.out).toBe(json.out);
    const spread = parseCsv(csv.out.slice(1));
    expect(spread[1]?.join()).toBe('Requests for help,total,Requests for help,40,40,40,12,28');
    for (const { rows } of tables)
      for (const { label, least, most } of rows) {
        const number =
          least === most ? `${least}` : least === 0 ? `fewer than ${most + 1}` : `${least} to ${most}`;
        expect(stats.out).toContain(number);
        expect(spread.map((line) => `${line[2]} ${line[3]}`)).toContain(`${label} ${number}`);
        if (label !== 'Requests for help' && label !== 'Messages')
          expect(html).toContain(`${label}</th><td>${number}</td>`);
      }
  });

  test('a period with nothing in it is a report, of fewer than 5', async () => {
    const { code, out } = await awhinaShared(['stats', '--from', '2019-01', '--to', '2019-12'], await open());
    expect(code).toBe(0);
    expect(out).toContain('January to December 2019');
    expect(out).not.toContain('languages');
    expect(out).toContain('fewer than 17');
  });

  test('without a word it is of the last quarter that is over, in a file that says so, and never over another', async () => {
    const env = await emptyStore();
    const [folder, last] = [temporaryFolder(), quarterBefore(quarterOf(nzTime(new Date())))];
    const absolute = { ...env, CONTENT_DIR: join(process.cwd(), 'content') };
    const first = await awhina(['report'], absolute, folder);
    expect(first).toMatchObject({ code: 0 });
    expect(first.out).toContain(formatPeriod([last]));
    const name = first.out.trim().split(' ').at(-1) ?? '';
    expect(existsSync(join(folder, name))).toBe(true);
    writeFileSync(join(folder, name), 'mine');
    const again = await awhinaShared(['report'], absolute, folder);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('already exists');
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine');
    expect((await awhinaShared(['report', '--force'], absolute, folder)).code).toBe(0);
    expect(readFileSync(join(folder, name), 'utf8')).toContain('<!doctype html>');
  });

  test('a part of a quarter is told as the whole quarter, and that is said', async () => {
    const { code, out, err } = await awhina(
      ['report', '--from', '2025-07', '--to', '2025-08', '--json'],
      await emptyStore(),
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ period: { from: '2025-07', to: '2025-09' } });
    expect(err).toContain('whole quarters');
  });

  test.each([
    [['--from', '2025-09', '--to', '2025-07'], 'is after'],
    [['--from', '2025-13'], '--from must be a month'],
    [['--to', 'September'], '--to must be a month'],
    [['--to', '2999-12'], 'come when they are whole'],
    [['--from', '2999-12'], 'come when they are whole'],
    [['--csv', '--json'], 'Say which'],
  ])('%j is refused in plain words', async (args, words) => {
    const { code, out, err } = await awhinaShared(['report', ...args], await emptyStore());
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(words);
  });

  test('words of the trust are words, whatever they look like', async () => {
    const folders = await makeFolders();
    onTestFinished(folders.remove);
    const path = join(folders.contentDir, 'forms/help.yaml');
    const hostile = '<img src=x onerror=alert(1)>';
    writeFileSync(path, readFileSync(path, 'utf8').replace('- Counselling', `- "${hostile}"`));
    const { code, out } = await awhinaShared(['report', ...period, '--out', '-'], {
      ...(await emptyStore()),
      CONTENT_DIR: folders.contentDir,
    });
    expect(code).toBe(0);
    expect(out).not.toContain('<img');
    expect(out).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});
