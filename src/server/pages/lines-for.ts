import type { Helplines } from '../../model/helplines.ts';

/** The helplines of a page: those for speakers of its language come first. The others keep their order. */
export function linesFor(helplines: Helplines, language: string): Helplines {
  const isFor = (range: string) => `${language}-`.toLowerCase().startsWith(`${range}-`.toLowerCase());
  const { true: first = [], false: others = [] } = Object.groupBy(helplines.lines, ({ languages = [] }) =>
    languages.some(isFor) ? 'true' : 'false',
  );
  return { ...helplines, lines: [...first, ...others] };
}
