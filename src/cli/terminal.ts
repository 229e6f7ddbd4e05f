import { createInterface, type Interface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Letter, Tone } from '../server/delivery/letter/letter.ts';
import { letterAsText } from '../server/delivery/letter/letter-text.ts';
import { safeJson, terminalSafe } from '../server/delivery/letter/printable.ts';
import { Interrupted, UsageError } from './command.ts';

export type Style = Parameters<typeof styleText>[0];

/** In colour on a terminal; as it is in a pipe or a file. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Of a step that succeeded, failed, or (null) was not tried. */
export const symbolOf = (ok: boolean | null): string =>
  ok === null ? styled('dim', '–') : ok ? styled('green', '✓') : styled('red', '✗');

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(safeJson(value, 2));
}

/** On stderr: a pipe gets the output alone. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Only whole lines that are not indented get a colour: the words of visitors are indented. */
export function letterForTerminal(letter: Letter): string {
  const styles = new Map<string, Style>(
    (letter.banners ?? []).flatMap(({ tone, shout, lines }) =>
      [shout, ...lines].flatMap((line): [string, Style][] => {
        const ours = typeof line === 'string' ? line : 'bold' in line ? line.bold : null;
        return ours === null ? [] : [[terminalSafe(ours), bannerStyles[tone] ?? []]];
      }),
    ),
  );
  return terminalSafe(letterAsText(letter))
    .split('\n')
    .map((line) => styled(styles.get(line) ?? [], line))
    .join('\n');
}

const bannerStyles: Partial<Record<Tone, Style>> = {
  stop: ['red', 'bold'],
  caution: ['yellow', 'bold'],
  urgent: ['yellow', 'bold'],
};

/** Columns are as wide as their widest cell; the last one is not padded. */
export function table(head: string[], rows: string[][], styles: Style[]): string {
  const safe = rows.map((row) => row.map(terminalSafe));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...safe.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [styled('bold', line(head)), ...safe.map((row, n) => styled(styles[n] ?? 'reset', line(row)))].join(
    '\n',
  );
}

/** The current step, on one line that each step overwrites. Shown on a terminal only. */
export function createProgress(): { say(text: string): void; end(): void } {
  let last = 0;
  return {
    say(text) {
      if (!process.stderr.isTTY || Date.now() - last < 100) return;
      last = Date.now();
      process.stderr.write(`\r\x1b[K${text}`);
    },
    end() {
      if (last > 0) process.stderr.write('\r\x1b[K');
    },
  };
}

/** Asks on the terminal. `ifInterrupted`: the sentence that is shown after Ctrl-C. */
export async function withTerminal<T>(
  ifInterrupted: string,
  work: (terminal: Interface) => Promise<T>,
): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-D closes the terminal without an error: the question would never be answered.
  const closed = new Promise<never>((_, reject) =>
    terminal.once('close', () => reject(new Interrupted(ifInterrupted))),
  );
  try {
    return await Promise.race([work(terminal), closed]);
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? new Interrupted(ifInterrupted) : error;
  } finally {
    closed.catch(() => {});
    terminal.close();
  }
}

/** Whether the person types yes. `how`: what to type where there is no terminal to ask on. */
export async function askForYes(question: string, ifNot: string, how: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(`There is no terminal to ask on. ${how}`);
  const answer = await withTerminal(ifNot, (terminal) => terminal.question(`${question} Type yes: `));
  if (answer.trim().toLowerCase() === 'yes') return true;
  print(ifNot);
  return false;
}
