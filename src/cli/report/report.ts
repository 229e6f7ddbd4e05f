import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { writePage } from '../../report/page.ts';
import { type Command, UsageError } from '../command.ts';
import { refuseExisting, writeAllOrNothing } from '../command-files.ts';
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
    const { out: asked, force = false } = values;
    // Before anything is read: the person should not wait for the figures and then have to choose another name.
    if (asked !== undefined && asked !== '-') await refuseExisting(asked, force);
    const result = await readReport(values, new Date());
    const data = values.csv || values.json;
    const { from, to } = result.report.period;
    const out = asked ?? (data ? '-' : `report-${from}-to-${to}.html`);
    const text = values.csv
      ? reportAsCsv(result)
      : values.json
        ? reportAsJson(result)
        : await writeHtml(result);
    if (out === '-') process.stdout.write(text);
    else {
      await writeAllOrNothing(out, [text], force);
      print(`${result.report.period.words}: written to ${out}`);
      if (!data) remark('Open it in a browser. To print it or to make a PDF, print it from there.');
    }
    return 0;
  },
};

const sheet = new URL('../../report/report.css', import.meta.url);

async function writeHtml({ report, content }: ReadReport): Promise<string> {
  const css = await readFile(sheet, 'utf8');
  const { organisation, otherLanguages: glossary } = content.site;
  const { theme } = content;
  return writePage({ report, organisation, glossary, theme, madeAt: new Date(), css });
}
