import { parseArgs } from 'node:util';
import { asText } from '../../model/phrase.ts';
import { asSentence } from '../../model/sentence.ts';
import { smallestShown } from '../../report/intervals.ts';
import { writeBars } from '../../report/text-bars.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import type { Command } from '../command.ts';
import { print, remark, styled } from '../terminal.ts';
import { periodOptions, periodUsage, readReport } from './read-report.ts';
import { reportAsJson } from './report-data.ts';

const defaultWidth = 80;

export const stats: Command = {
  summary: 'show the figures of the report on the terminal',
  usage: `awhina stats [options]

${periodUsage}
  --json                for programs`,

  async run(args) {
    const { values } = parseArgs({ args, options: { ...periodOptions, json: { type: 'boolean' } } });
    const result = await readReport(values, new Date());
    if (result.lost) remark(styled('red', asSentence(result.lost)));
    if (values.json) {
      process.stdout.write(reportAsJson(result));
      return 0;
    }
    const { report, content } = result;
    const organisation = asText(content.site.organisation);
    print(styled('bold', `${terminalSafe(organisation)}, ${report.period.words}`));
    // A pipe has no width.
    const blocks = writeBars(report, process.stdout.columns ?? defaultWidth);
    for (const { title, lines } of blocks) print(`\n${styled('bold', title)}\n${lines.join('\n')}`);
    print(
      `\nNumbers below ${smallestShown} are not shown, nor are numbers that they could be worked out from: ░ is the range that leaves open.`,
    );
    return 0;
  },
};
