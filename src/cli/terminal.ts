import { styleText } from 'node:util';
import type { Letter, Tone } from '../server/delivery/letter/letter.ts';
import { letterAsText } from '../server/delivery/letter/letter-text.ts';
import { safeJson, terminalSafe } from '../server/delivery/letter/printable.ts';
import { deliveryStatus, type StoredSubmission } from '../server/store/contract/submission.ts';

type Style = Parameters<typeof styleText>[0];

/** Colour on a terminal, none in a pipe or a file. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(safeJson(value, 2));
}

/** Beside the output, so that it is not in the way of a pipe. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** In colour only whole lines at the edge: what visitors wrote stands in from it. */
export function letterForTerminal(letter: Letter): string {
  const styles = new Map<string, Style>(
    letter.banners.flatMap(({ tone, shout, lines }) =>
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

/** What is in trouble is red, what is on its way yellow. */
export function rowStyle({ delivery }: StoredSubmission): Style {
  return ({ delivered: 'reset', parked: 'red', waiting: 'yellow' } as const)[deliveryStatus(delivery)];
}

/** Columns as wide as their widest cell; the last may be any length. */
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

/** What is being done, on one line of a terminal, and nowhere else. */
export function createStep(): { say(text: string): void; end(): void } {
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

/** A count that stays on one line of a terminal, and is nowhere else. */
export function createProgress(total: number): { at(done: number): void; end(): void } {
  const shown = process.stderr.isTTY && total >= 500;
  let last = 0;
  return {
    at(done) {
      if (!shown || Date.now() - last < 100) return;
      last = Date.now();
      process.stderr.write(`\r${done.toLocaleString('en-NZ')} of ${total.toLocaleString('en-NZ')}`);
    },
    end() {
      if (shown) process.stderr.write('\r\x1b[K');
    },
  };
}
