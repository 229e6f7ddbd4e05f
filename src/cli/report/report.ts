import { existsSync } from 'node:fs';
import { link, readFile, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Draw } from '../../report/drawing.ts';
import { writePage } from '../../report/page.ts';
import { writeAtomically } from '../../server/files/write-atomically.ts';
import { type Command, CommandFailed, UsageError } from '../command.ts';
import { print, remark } from '../terminal.ts';
import { periodOptions, periodUsage, type ReadReport, readReport } from './read-report.ts';
import { reportAsCsv, reportAsJson } from './report-data.ts';

export const report: Command = {
  summary: 'make a page of figures for your funders, which identifies nobody',
  usage: `awhina report [options]

${periodUsage}
  --out FILE            write to this file (report-2026-07-to-2026-09.html); - is the terminal or the pipe
  --force               overwrite that file if it exists
  --csv, --json         the same figures for a spreadsheet or a program; without --out to the terminal or the pipe`,

  async run(args) {
    const options = {
      ...periodOptions,
      out: { type: 'string' },
      force: { type: 'boolean' },
      csv: { type: 'boolean' },
      json: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args, options });
    if (values.csv && values.json) throw new UsageError('Say which: --csv, or --json');
    const asked = values.out;
    // Before anything is read: whoever has to choose another name should not wait for it.
    if (asked !== undefined) refuseTaken(asked, values.force);
    const made = await readReport(values, new Date());
    const data = values.csv || values.json;
    const { from, to } = made.report.period;
    const out = asked ?? (data ? '-' : `report-${from}-to-${to}.html`);
    refuseTaken(out, values.force);
    const text = values.csv ? reportAsCsv(made) : values.json ? reportAsJson(made) : await writeHtml(made);
    if (out === '-') process.stdout.write(text);
    else {
      await writeFile(out, text, values.force);
      print(`${made.report.period.words}: written to ${out}`);
      if (!data) remark('Open it in a browser. To print it or to make a PDF, print it from there.');
    }
    return 0;
  },
};

function refuseTaken(path: string, force = false): void {
  if (path !== '-' && !force && existsSync(path))
    throw new CommandFailed(`${path} already exists. Choose another with --out FILE, or add --force.`);
}

async function writeFile(path: string, text: string, force = false): Promise<void> {
  try {
    if (force) return await writeAtomically(path, text);
    const whole = `${path}.whole`;
    await writeAtomically(whole, text);
    // A name that was free a moment ago may not be now: a link is made only where there is none.
    await link(whole, path).finally(() => rm(whole, { force: true }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandFailed(`${path} could not be written (${code}).`, { cause: error });
  }
}

const plots = new URL('../../../dist/report/plots.js', import.meta.url);
const sheet = new URL('../../report/report.css', import.meta.url);

async function writeHtml({ report: made, content }: ReadReport): Promise<string> {
  if (!existsSync(plots)) throw new CommandFailed('The plots are not built yet. Run npm run build first.');
  const [css, { drawPlot }] = await Promise.all([
    readFile(sheet, 'utf8'),
    import(plots.href) as Promise<{ drawPlot: Draw }>,
  ]);
  const { organisation, otherLanguages: glossary } = content.site;
  const { theme } = content;
  return writePage({ report: made, organisation, glossary, theme, madeAt: new Date(), draw: drawPlot, css });
}
