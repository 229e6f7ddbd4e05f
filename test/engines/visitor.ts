import { expect } from 'vitest';
import type { Driver, Point } from './driver.ts';

/** What a visitor does and sees, the same in every engine. Whatever is not there yet is waited for. */
export interface Visitor {
  driver: Driver;
  /** Opens a page of the site, or any other, and waits until it can be read. */
  open(path: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Types into the field with this label. */
  answer(label: string, words: string): Promise<void>;
  tick(label: string): Promise<void>;
  /** Presses a button, a link or a fold by what it says, in a part of the page if that is told. */
  press(name: string, within?: string): Promise<void>;
  /** Presses what loads another page, or this one anew, and waits for it. */
  follow(name: string, within?: string): Promise<void>;
  /** Waits until the page shows these words. */
  sees(words: string | RegExp): Promise<void>;
  at(address: string): Promise<void>;
}

/** Everything the fields hold, and what the page is about. */
export interface Shown {
  address: string;
  title: string;
  /** What can be read. */
  text: string;
  /** What is typed and ticked. */
  answers: string[];
  /** What there is at all, be it seen or not. */
  html: string;
}

/** A question and a choice may have the same name: only the label of a line to write in stands apart from it. */
const textLabel = 'label[for]';
const tickLabel = 'label:not([for])';

export function createVisitor(driver: Driver, site: string): Visitor {
  const click = async (kind: string, name: string, within = 'body') => {
    let point: Point | null = null;
    // Found twice at the same place: Firefox may still be scrolling to what was typed last.
    const find = async () => {
      const before = point;
      point = await driver.run(findPoint, kind, name, within);
      if (!point) return (await look(driver)).answers;
      return point.x === before?.x && point.y === before.y ? 'found' : 'moving';
    };
    await expect.poll(find, { message: `“${name}” can be pressed` }).toBe('found');
    if (point) await driver.clickAt(point);
  };
  /** What is still loading may move a field from under the finger. */
  const reach = async (kind: string, label: string, reached: (label: string) => boolean) => {
    const tried = async () => {
      await click(kind, label);
      return driver.run(reached, label);
    };
    await expect.poll(tried, { message: `“${label}” is reached` }).toBe(true);
  };
  let pages = 0;
  /** A page that was left may come back whole, with its mark, so each has another. */
  const arrive = async (go: () => Promise<void>, { lostAfterMs = Number.POSITIVE_INFINITY } = {}) => {
    const mark = ++pages;
    await driver.run((left) => void Object.assign(window, { left }), mark);
    await go();
    let wentAt = performance.now();
    const find = async () => {
      const state = await driver.run(stateOfPage, mark);
      if (state === 'there' || performance.now() - wentAt < lostAfterMs) return state;
      process.stdout.write(`The page does not come, and is asked for once more: ${state}\n`);
      await go();
      wentAt = performance.now();
      return state;
    };
    await expect.poll(find, { message: 'another page is there' }).toBe('there');
  };
  return {
    driver,
    // WebKit lost the very first page once in a hundred times and more.
    open: (path) => arrive(() => driver.goTo(new URL(path, site).href), { lostAfterMs: 30_000 }),
    reload: () => arrive(driver.reload),
    back: () => arrive(driver.back),
    async answer(label, words) {
      await reach(textLabel, label, hasFocus);
      await driver.type(words);
    },
    tick: (label) => reach(tickLabel, label, isTicked),
    press: (name, within) => click('button, a, summary', name, within),
    follow: (name, within) => arrive(() => click('button, a', name, within)),
    sees: (words) => expect.poll(async () => (await look(driver)).text).toMatch(words),
    at: (address) => expect.poll(async () => (await look(driver)).address).toBe(new URL(address, site).href),
  };
}

/** On the way to another page Firefox shows an empty one for a moment. It is not the one that was opened. */
function stateOfPage(left: number): string {
  const isOther = (window as { left?: number }).left !== left && location.href !== 'about:blank';
  const isThere = isOther && document.readyState !== 'loading';
  return isThere ? 'there' : `${location.href} is ${document.readyState}`;
}

function hasFocus(label: string): boolean {
  const { labels } = document.activeElement as HTMLInputElement;
  return [...(labels ?? [])].some((one) => one.innerText.trim().startsWith(label));
}

function isTicked(label: string): boolean {
  const ticked = document.querySelectorAll<HTMLInputElement>('input:checked');
  return [...ticked].some(({ labels }) => labels?.[0]?.innerText.trim().startsWith(label));
}

export const look = (driver: Driver): Promise<Shown> => driver.run(lookAround);

function lookAround(): Shown {
  const fields = [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type=hidden]), textarea',
    ),
  ];
  return {
    address: location.href,
    title: document.title,
    text: document.body.innerText,
    answers: fields
      .filter((field) => (field.type === 'checkbox' ? (field as HTMLInputElement).checked : field.value))
      .map((field) => field.value),
    html: document.documentElement.outerHTML,
  };
}

/** Where a finger would go to press it; null while it is not there, cannot be used or lies under something else. */
function findPoint(kind: string, name: string, within: string): { x: number; y: number } | null {
  const all = document.querySelector(within)?.querySelectorAll<HTMLElement>(kind) ?? [];
  for (const found of all) {
    if (!found.innerText.trim().startsWith(name)) continue;
    const target = found instanceof HTMLLabelElement ? (found.control as HTMLInputElement | null) : found;
    if (!target || (target as HTMLInputElement).disabled) continue;
    target.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = target.getBoundingClientRect();
    const x = left + width / 2;
    const y = top + height / 2;
    const hit = document.elementFromPoint(x, y);
    if (target.contains(hit) || found.contains(hit)) return { x, y };
  }
  return null;
}
