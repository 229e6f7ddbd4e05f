import type { Letter } from './letter.ts';

const rule = '='.repeat(64);
/** Answers stand in from the edge, so that none can pass for a line of ours. */
const indent = (text: string) => text.replace(/^/gm, '    ');

/** The letter as plain text: what a mail program without HTML, and `awhina show`, display. */
export function letterAsText(
  { title, well = [], urgent, warning, notes, facts, answers }: Letter,
  below: readonly string[] = [],
): string {
  const width = Math.max(...facts.map(([label]) => label.length));
  const banner = (lines: readonly string[]) => (lines.length > 0 ? [[rule, ...lines, rule].join('\n')] : []);
  const blocks = [
    ...banner(well),
    ...banner(urgent),
    ...banner(warning),
    title,
    ...(facts.length > 0
      ? [facts.map(([label, value]) => `${`${label}:`.padEnd(width + 2)}${value}`).join('\n')]
      : []),
    ...notes,
    ...answers.map(({ question, answer }) => `${question}\n${indent(answer ?? '(not answered)')}`),
    ...below,
  ];
  return `${blocks.join('\n\n')}\n`;
}
