import type { Banner, Letter, Line } from './letter.ts';

const rule = '='.repeat(64);
/** The visitor's words are indented, so that none of them can pass for a line of ours. */
const indent = (text: string) => text.replace(/^/gm, '    ');

/** The letter as plain text: what a mail program without HTML, and `awhina show`, display. */
export function letterAsText(
  { title, banners = [], facts = [], beforeAnswers, answers = [], unanswered = '', notes = [], link }: Letter,
  below: readonly string[] = [],
): string {
  const width = Math.max(...facts.map(([label]) => label.length));
  const blocks = [
    ...banners.map(renderBanner),
    title,
    ...(facts.length > 0
      ? [facts.map(([label, value]) => `${`${label}:`.padEnd(width + 2)}${value}`).join('\n')]
      : []),
    ...(beforeAnswers ? [beforeAnswers] : []),
    ...answers.map(
      ({ question, answer, warning }) => `${question}${warning ? ` (${warning})` : ''}\n${indent(answer)}`,
    ),
    ...(unanswered === '' ? [] : [unanswered]),
    ...notes,
    ...below,
    ...(link ? [`${link.label}:\n${link.url}`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderBanner({ shout, lines }: Banner): string {
  return [rule, shout, ...lines.map(renderLine), rule].join('\n');
}

function renderLine(line: Line): string {
  if (typeof line === 'string') return line;
  if ('bold' in line) return line.bold;
  if ('limit' in line) return line.limit;
  if ('steps' in line) return line.steps.map((step) => `- ${step.join(' ')}`).join('\n');
  return indent('contactDetail' in line ? line.contactDetail : line.wrote);
}
