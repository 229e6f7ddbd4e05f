import { expect, inject } from 'vitest';
import type { NeutralPage } from '../support/neutral-page.ts';
import { fill } from './answers.ts';
import { test } from './engine-test.ts';
import { look, type Visitor } from './visitor.ts';

/** Nothing typed is in a field or anywhere else in the page. */
async function expectNothingTyped({ driver }: Visitor): Promise<void> {
  const { answers, html } = await look(driver);
  expect(answers).toEqual([]);
  for (const words of ['Sample', 'sample@', 'A quiet word', 'Some words about it'])
    expect(html).not.toContain(words);
}

const historyLength = ({ driver }: Visitor) => driver.run(() => history.length);

/** At the first of our pages, after another site's. */
async function arriveFrom(visitor: Visitor, { earlierUrl }: NeutralPage): Promise<number> {
  for (const address of [earlierUrl, '/']) await visitor.open(address);
  return historyLength(visitor);
}

/** By the bar, as often as it takes: a press may be lost while one page fades into the next, and a second adds nothing. */
async function goTo(name: string, path: string, visitor: Visitor): Promise<void> {
  const pressed = async () => {
    await visitor.press(name, 'header');
    return new URL((await look(visitor.driver)).address).pathname;
  };
  await expect.poll(pressed).toBe(path);
}

/** Until it is there. WebKit stays on the page that it shows while it passes the blank entry. */
async function go(way: 'back' | 'forward', isThere: (address: string) => boolean, { driver }: Visitor) {
  const step = async () => {
    const { address, title, text } = await look(driver);
    expect(`${title} ${text}`).not.toMatch(/Kōwhai|Get Help/);
    if (!isThere(address)) await driver[way]();
    return isThere(address);
  };
  // In ms: one step after the other.
  await expect.poll(step, { interval: 1_000 }).toBe(true);
}

const isLeft = () =>
  document.documentElement.classList.contains('leaving') || !document.querySelector('[data-leave]');

/**
 * After 1 s without a step back the exit gives up and replaces only its own entry (`stepWithinMs`). On a busy machine a
 * step can take longer. Longer waiting hides no missing step: at the replacement the earlier entries are still there, and
 * the length of the history is wrong. These tests do not show that a step takes less than 1 s; exit-history.spec.ts tests
 * the replacement.
 */
function waitLongerForStep(): void {
  const { setTimeout } = window;
  const patient = (run: () => void, ms?: number) => setTimeout(run, ms === 1_000 ? 60_000 : ms);
  Object.assign(window, { setTimeout: patient });
}

const clickIn = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();

/**
 * Presses the exit again where a press was lost, because the driver's press may hit the picture of a page that is fading.
 * No press follows one that had an effect. That a single press is enough is shown by the test with `clickIn`, and by
 * exit.spec.ts.
 */
async function pressExit(visitor: Visitor): Promise<void> {
  const { driver } = visitor;
  // A page without the exit would pass for one that was left.
  await expect.poll(() => driver.run(isLeft)).toBe(false);
  await driver.run(waitLongerForStep);
  const pressed = async () => {
    if (!(await driver.run(isLeft))) await visitor.press('Quick exit', 'header');
    return driver.run(isLeft);
  };
  await expect.poll(pressed).toBe(true);
}

/** Of our entries one is left, which is blank, and after it comes the neutral page and nothing else. */
async function expectNothingOfOurs(visitor: Visitor, neutral: NeutralPage, lengthAtFirst: number) {
  await visitor.at(neutral.url);
  expect(await historyLength(visitor)).toBe(lengthAtFirst + 1);
  const isBefore = (address: string) => [neutral.earlierUrl, 'about:blank'].includes(address);
  await go('back', isBefore, visitor);
  await go('forward', (address) => address === neutral.url, visitor);
  expect(neutral.referrers.filter((referrer) => referrer !== null)).toEqual([]);
}

for (const way of ['followed', 'loaded anew']) {
  test(`nothing of ours is behind Back or Forward after the exit where pages were followed, the last ${way}`, async ({
    visitor,
    neutral,
  }) => {
    const length = await arriveFrom(visitor, neutral);
    await goTo('Get Help', '/help', visitor);
    await goTo('Contact Us', '/contact', visitor);
    if (way === 'followed') await goTo('Get Help', '/help', visitor);
    else await visitor.open('/help');
    await pressExit(visitor);
    await expectNothingOfOurs(visitor, neutral, length);
  });
}

// WebKit's driver does not always run a script while a page is being loaded.
test.skipIf(inject('engine').name !== 'Firefox')(
  'nothing of ours is behind Back or Forward after the exit, where a page was followed while another was being loaded',
  async ({ visitor, neutral, front }) => {
    const length = await arriveFrom(visitor, neutral);
    await goTo('Contact Us', '/contact', visitor);
    front.fail('/help', 'stall');
    // As a link does that is pressed before React has started.
    await visitor.driver.run(() => location.assign('/help'));
    await visitor.driver.run(clickIn, 'header a[href="/help"]');
    await visitor.at('/help');
    await visitor.driver.run(waitLongerForStep);
    await visitor.driver.run(clickIn, 'header [data-leave]');
    await expectNothingOfOurs(visitor, neutral, length);
  },
);

test('nothing of ours is behind Back or Forward after the exit, where every page was loaded anew and one answered a form', async ({
  visitor,
  neutral,
  front,
}) => {
  front.fail('/assets/', 'stall');
  const length = await arriveFrom(visitor, neutral);
  await visitor.follow('Get Help', 'main');
  await visitor.follow('Get Help', 'header');
  await fill.help(visitor);
  await visitor.press('Send Request', 'main');
  await visitor.sees('say this reference');
  await pressExit(visitor);
  await expectNothingOfOurs(visitor, neutral, length);
});

/** As often as it takes: on a busy machine three presses may be too far apart to belong together. */
async function pressShiftUntilLeft({ driver }: Visitor): Promise<void> {
  const pressed = async () => {
    for (let press = 0; press < 3; press++) await driver.press('Shift');
    return (await look(driver)).text;
  };
  await expect.poll(pressed).not.toMatch(/Get Help/);
}

/** On the way to a page that does not come before it is let go. */
async function leaveForHeld(visitor: Visitor, neutral: NeutralPage) {
  await visitor.open('/help');
  await visitor.sees(/Get Help/);
  const before = neutral.referrers.length;
  const release = neutral.hold();
  const began = performance.now();
  await pressShiftUntilLeft(visitor);
  await expect.poll(() => neutral.referrers.length).toBeGreaterThan(before);
  return { before, began, release };
}

test('a visitor who goes on pressing Shift while the neutral page is loading still gets there', async ({
  visitor,
  neutral,
}) => {
  const { before, began, release } = await leaveForHeld(visitor, neutral);
  for (let press = 0; press < 9; press++) await visitor.driver.press('Shift');
  // Begun once, and on a machine that took so long for it once more every 15 s.
  const lasted = performance.now() - began;
  expect(neutral.referrers.length - before).toBeLessThanOrEqual(1 + Math.floor(lasted / 15_000));
  release();
  await visitor.at(neutral.url);
});

test('a visitor who stops the neutral page with Escape leaves with the next three presses', async ({
  visitor,
  neutral,
}) => {
  const { release } = await leaveForHeld(visitor, neutral);
  const stopped = neutral.referrers.length;
  await visitor.driver.press('Escape');
  const again = async () => {
    for (let press = 0; press < 3; press++) await visitor.driver.press('Shift');
    return neutral.referrers.length;
  };
  await expect.poll(again).toBeGreaterThan(stopped);
  release();
  await visitor.at(neutral.url);
});

test('after a reload nothing typed is left', async ({ visitor }) => {
  await visitor.open('/help');
  await fill.help(visitor);
  await visitor.reload();
  await visitor.sees(/Get Help/);
  await expectNothingTyped(visitor);
});

test('after another page and Back nothing typed is left', async ({ visitor, neutral }) => {
  await visitor.open('/help');
  await fill.help(visitor);
  await visitor.open(neutral.url);
  await visitor.at(neutral.url);
  await visitor.back();
  await visitor.at('/help');
  await expectNothingTyped(visitor);
});
