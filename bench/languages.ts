import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContent } from '../src/server/content/content.ts';
import { accent, composePo, confirmLanguages, writePseudoLanguage } from '../test/support/pseudo-language.ts';
import { measureInterleaved, ratios } from './interleaved.ts';
import { type Finding, median, showNumber, spreadOf } from './report.ts';
import { temporaryDataDir } from './temporary-data-dir.ts';
import { compareResults, describeRate, measureSides, type Side } from './throughput/comparison.ts';
import { avoidServerCore } from './throughput/cores.ts';
import { startLoadClient, startSiteOnCore } from './throughput/pinned-processes.ts';
import { processSeconds } from './throughput/processor-time.ts';

/** What eight languages cost: a start with and without them, and pages a second. */

const startRounds = 7;
const loadRounds = 7;
/** Besides en-XA. Their words are those of en-XA. */
const others = ['ar', 'hi', 'ko', 'mi', 'pa', 'sm', 'to'];

export async function measureLanguages(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  const contentDirs = await writeContents(folder.path);
  return await avoidServerCore(async () => [
    ...(await compareStarts(folder.path, contentDirs)),
    ...(await comparePages(folder.path, contentDirs)),
  ]);
}

type ContentDirs = Record<'one' | 'eight', string>;

/** The shipped content without a language besides the original, and with eight. */
async function writeContents(folder: string): Promise<ContentDirs> {
  const contentDirs = { one: join(folder, 'one'), eight: join(folder, 'eight') };
  for (const contentDir of Object.values(contentDirs)) {
    cpSync('content', contentDir, { recursive: true });
    rmSync(join(contentDir, 'languages'), { recursive: true, force: true });
  }
  await writePseudoLanguage(contentDirs.eight, 'en-XA');
  const { sentences } = await readContent(contentDirs.one);
  for (const tag of others)
    writeFileSync(join(contentDirs.eight, 'languages', `${tag}.po`), composePo(tag, sentences, accent));
  await confirmLanguages(contentDirs.eight, ...others);
  return contentDirs;
}

/** In time and in processor time until the server listens. The bound is on processor time: other work does not change it. */
async function compareStarts(folder: string, contentDirs: ContentDirs): Promise<Finding[]> {
  const starts = await measureInterleaved(['one', 'eight'] as const, startRounds, async (side) => {
    const begin = performance.now();
    const site = await startSiteOnCore(join(folder, `start-${side}`), {
      env: { CONTENT_DIR: contentDirs[side] },
    });
    const sample = {
      seconds: (performance.now() - begin) / 1_000,
      processor: processSeconds(site.process.pid ?? 0),
    };
    await site.end('SIGKILL');
    return sample;
  });
  const compare = (figure: 'seconds' | 'processor') => {
    const [eight, one] = [starts.eight, starts.one].map((all) => all.map((sample) => sample[figure]));
    const all = ratios(eight ?? [], one ?? []);
    const middle = [one, eight].map((figures) => showNumber(median(figures ?? [])));
    return { value: median(all), spread: spreadOf(all), note: `${middle.join(' and ')} s` };
  };
  return [
    { name: 'a start with eight languages, by processor', ...compare('processor'), atMost: 1.5 },
    { name: 'a start with eight languages, in time', ...compare('seconds') },
  ];
}

async function comparePages(folder: string, contentDirs: ContentDirs): Promise<Finding[]> {
  const start = (side: keyof ContentDirs) =>
    startSiteOnCore(join(folder, `pages-${side}`), { env: { CONTENT_DIR: contentDirs[side] } });
  const [one, eight] = await Promise.all([start('one'), start('eight')]);
  const client = startLoadClient();
  try {
    const asking = (server: Side['server'], path: string): Side => ({
      server,
      workload: {
        name: path,
        request: { path, headers: { 'accept-encoding': 'gzip, deflate, br' } },
        expectedStatus: 200,
      },
    });
    const results = await measureSides(
      client,
      { one: asking(one, '/help'), original: asking(eight, '/help'), translated: asking(eight, '/mi/help') },
      loadRounds,
    );
    return (['original', 'translated'] as const).map((side) => ({
      name: `pages a second beside a site without languages: ${side}`,
      ...compareResults(results[side], results.one).byProcessor,
      atLeast: 0.9,
      note: `a second ${describeRate(results[side])} beside ${describeRate(results.one)}`,
    }));
  } finally {
    await client.end();
    await Promise.all([one.end(), eight.end()]);
  }
}
