import { expect } from 'vitest';
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

test('three presses of Shift leave', async ({ visitor, neutral }) => {
  await visitor.open('/help');
  await visitor.sees(/Get Help/);
  for (let press = 0; press < 3; press++) await visitor.driver.press('Shift');
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
