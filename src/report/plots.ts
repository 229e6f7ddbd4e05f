import { axisX, axisY, barX, barY, plot, ruleX, ruleY, text } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Drawing } from './drawing.ts';

/**
 * Draws the plots. Only this file knows the library, and is built into a bundle of its own, so that neither the server nor
 * the packages of a release need the library.
 */

const width = 340;
const rowHeight = 34;
const columnsHeight = 220;
const labelWidth = 138;

/** The part of a bar between the lower and the upper bound. */
const unsure = { fillOpacity: 0.28 };

export function drawPlot({ bars, colour, ink, upright, most }: Drawing): string {
  const { document } = parseHTML('<html><body></body></html>');
  const data = bars.map((bar, n) => ({ ...bar, band: String(n) }));
  const label = (band: string) => bars[Number(band)]?.label ?? '';
  const bands = { domain: data.map(({ band }) => band), padding: upright ? 0.28 : 0.34, label: null };
  const numbers = { domain: [0, Math.max(most, 1)], axis: null, label: null } as const;
  const exact = data.filter((bar) => bar.least === bar.most);
  const uncertain = data.filter((bar) => bar.least < bar.most);
  const common = { document, width, style: { fontSize: '13px' }, className: 'plot' } as const;
  const svg = upright
    ? plot({
        ...common,
        height: columnsHeight,
        marginTop: 24,
        marginRight: 0,
        marginBottom: 42,
        marginLeft: 0,
        x: bands,
        y: numbers,
        marks: [
          barY(exact, { x: 'band', y1: 0, y2: 'least', fill: colour, ry1: 4 }),
          barY(uncertain, { x: 'band', y1: 0, y2: 'least', fill: colour }),
          barY(uncertain, { x: 'band', y1: 'least', y2: 'most', fill: colour, ry1: 4, ...unsure }),
          ruleY([0], { stroke: ink, strokeOpacity: 0.4 }),
          text(data, { x: 'band', y: 'most', text: 'value', dy: -10, fill: ink, fontWeight: 600 }),
          axisX({ tickFormat: label, tickSize: 0, tickPadding: 9, color: ink, ...fewTicks(data) }),
        ],
      })
    : plot({
        ...common,
        height: data.length * rowHeight + 8,
        marginTop: 4,
        marginRight: 62,
        marginBottom: 4,
        marginLeft: labelWidth + 8,
        x: numbers,
        y: bands,
        marks: [
          barX(exact, { y: 'band', x1: 0, x2: 'least', fill: colour, rx2: 4 }),
          barX(uncertain, { y: 'band', x1: 0, x2: 'least', fill: colour }),
          barX(uncertain, { y: 'band', x1: 'least', x2: 'most', fill: colour, rx2: 4, ...unsure }),
          ruleX([0], { stroke: ink, strokeOpacity: 0.4 }),
          text(data, {
            y: 'band',
            x: 'most',
            text: 'value',
            dx: 7,
            textAnchor: 'start',
            fill: ink,
            fontWeight: 600,
          }),
          axisY({ tickFormat: label, tickSize: 0, tickPadding: 8, lineWidth: 10, color: ink }),
        ],
      });
  return finish(svg as unknown as Element);
}

/** At most twelve names of months, which is what fits. */
function fewTicks(data: readonly { band: string }[]): { ticks?: string[] } {
  const every = Math.ceil(data.length / 12);
  return every === 1 ? {} : { ticks: data.filter((_, n) => n % every === 0).map(({ band }) => band) };
}

interface Element {
  outerHTML: string;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelectorAll(selector: string): Iterable<Element>;
  remove(): void;
}

/** Hidden from screen readers, because the table beside it has the same numbers. Its styles are in the page's style sheet. */
function finish(svg: Element): string {
  for (const style of svg.querySelectorAll('style')) style.remove();
  for (const named of svg.querySelectorAll('[aria-label]')) named.removeAttribute('aria-label');
  for (const hidden of svg.querySelectorAll('[aria-hidden]')) hidden.removeAttribute('aria-hidden');
  for (const name of ['font-family', 'style']) svg.removeAttribute(name);
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  svg.setAttribute('font-size', '13');
  return svg.outerHTML;
}
