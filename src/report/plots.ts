import { escapeHtml } from '../model/escape-html.ts';

/** What a plot shows. */
interface Drawing {
  bars: readonly Bar[];
  colour: string;
  ink: string;
  /** Columns, for a series in time; otherwise rows, which have room for words. */
  upright: boolean;
  /** The end of the scale, the same for plots that are compared. */
  most: number;
}

interface Bar {
  label: string;
  least: number;
  most: number;
  /** The number in as few characters as possible. */
  value: string;
}

/** Units of the picture, which a screen shows as pixels or a little more. */
const width = 340;
const corner = 4;
const lineHeight = 13;
const rows = { left: 146, right: width - 62, step: 34, bar: 22, margin: 4 };
const columns = { height: 220, top: 24, base: 178, part: 0.72 };
/** Letters of a row's label in one line. */
const labelLength = 20;
/** Names of months that fit below the columns. */
const mostNames = 12;

/** Hidden from screen readers, because the table beside it has the same numbers. Its styles are in the page's style sheet. */
export function drawPlot({ bars, colour, ink, upright, most }: Drawing): string {
  const height = upright ? columns.height : bars.length * rows.step + 2 * rows.margin;
  const drawn = bars.map((bar, n) =>
    (upright ? drawColumn : drawRow)(bar, n, Math.max(most, 1), bars.length),
  );
  const base = upright
    ? `M0,${columns.base}H${width}`
    : `M${rows.left},${rows.margin}V${height - rows.margin}`;
  return `<svg class="plot" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-size="13" aria-hidden="true" focusable="false">
<g fill="${colour}">${drawn.map(({ shape }) => shape).join('')}</g>
<path d="${base}" stroke="${ink}" stroke-opacity="0.4"/>
<g fill="${ink}">${drawn.map(({ words }) => words).join('\n')}</g>
</svg>`;
}

function drawRow({ label, least, most, value }: Bar, n: number, end: number) {
  const y = rows.margin + n * rows.step + (rows.step - rows.bar) / 2;
  const at = (number: number) => round(rows.left + ((rows.right - rows.left) * number) / end);
  const piece = (from: number, to: number, r = Math.min(corner, to - from)) =>
    `M${from},${y}H${to - r}a${r},${r} 0 0 1 ${r},${r}V${y + rows.bar - r}a${r},${r} 0 0 1 ${-r},${r}H${from}Z`;
  const middle = y + rows.bar / 2;
  return {
    shape: shapes(piece, rows.left, at(least), at(most)),
    words:
      writeLines(wrap(label), rows.left - 8, middle, 'end') +
      writeLines([value], at(most) + 7, middle, 'start', true),
  };
}

function drawColumn({ label, least, most, value }: Bar, n: number, end: number, count: number) {
  const step = width / count;
  const left = round(step * (n + (1 - columns.part) / 2));
  const right = round(left + step * columns.part);
  const at = (number: number) => round(columns.base - ((columns.base - columns.top) * number) / end);
  const piece = (from: number, to: number, r = Math.min(corner, from - to)) =>
    `M${left},${from}V${to + r}a${r},${r} 0 0 1 ${r},${-r}H${right - r}a${r},${r} 0 0 1 ${r},${r}V${from}Z`;
  const lines = n % Math.ceil(count / mostNames) === 0 ? label.split('\n') : [];
  const middle = round((left + right) / 2);
  const below = columns.base + 16 + ((lines.length - 1) * lineHeight) / 2;
  return {
    shape: shapes(piece, columns.base, at(least), at(most)),
    words:
      writeLines(lines, middle, below, 'middle') + writeLines([value], middle, at(most) - 10, 'middle', true),
  };
}

/** A bar: what is certain, and paler the range above it. Only the end of the whole bar is rounded. */
function shapes(
  piece: (from: number, to: number, r?: number) => string,
  zero: number,
  least: number,
  most: number,
) {
  if (least === most) return `<path d="${piece(zero, least)}"/>`;
  return `<path d="${piece(zero, least, 0)}"/><path d="${piece(least, most)}" fill-opacity="0.28"/>`;
}

function writeLines(
  lines: readonly string[],
  x: number,
  middle: number,
  anchor: string,
  bold = false,
): string {
  const first = middle - ((lines.length - 1) * lineHeight) / 2;
  return lines
    .map(
      (line, n) =>
        `<text x="${x}" y="${round(first + n * lineHeight)}" dy="0.32em" text-anchor="${anchor}"${bold ? ' font-weight="600"' : ''}>${escapeHtml(line)}</text>`,
    )
    .join('');
}

function wrap(label: string): string[] {
  const lines: string[] = [];
  for (const word of label.split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= labelLength) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const round = (number: number) => Math.round(number * 100) / 100;
