import { expect } from 'vitest';
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

test('the exit takes the place of Get Help, and Back from there leads home', async ({ visitor, neutral }) => {
  await visitor.open('/');
  await visitor.press('Get Help', 'main');
  await visitor.at('/help');
  await fill.help(visitor);
  await visitor.press('Quick exit', 'header');
  await visitor.at(neutral.url);
  await visitor.back();
  await visitor.at('/');
  await visitor.sees(/Nau Mai, Haere Mai/);
  await expectNothingTyped(visitor);
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

test('three presses of Shift leave', async ({ visitor, neutral }) => {
  await visitor.open('/help');
  await visitor.sees(/Get Help/);
  await pressShiftUntilLeft(visitor);
  await visitor.at(neutral.url);
});

test('who goes on pressing Shift while the other page is on its way still gets there', async ({
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

test('who stops the other page with Escape leaves with the next three presses', async ({
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

test('the exit is reached with Tab', async ({ visitor }) => {
  await visitor.open('/help');
  await visitor.sees(/Get Help/);
  const onExit = () => visitor.driver.run(() => document.activeElement?.hasAttribute('data-leave') ?? false);
  const before = 6;
  for (let press = 0; press < before && !(await onExit()); press++) await visitor.driver.press('Tab');
  expect(await onExit()).toBe(true);
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
