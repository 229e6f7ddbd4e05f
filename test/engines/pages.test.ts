import { expect } from 'vitest';
import { phone } from './driver.ts';
import { test } from './engine-test.ts';

const headings = { '/': /Nau Mai, Haere Mai/, '/help': /Get Help/, '/contact': /Contact Us/ };

for (const [path, heading] of Object.entries(headings)) {
  test(`${path} is shown, and its way out is in view on a phone`, async ({ visitor }) => {
    await visitor.driver.resize(phone);
    await visitor.open(path);
    await visitor.sees(heading);
    const { left, right, width } = await visitor.driver.run(() => {
      const box = document.querySelector('header [data-leave]')?.getBoundingClientRect();
      return { left: box?.left ?? -1, right: box?.right ?? -1, width: innerWidth };
    });
    expect(width).toBeLessThan(600);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(width);
  });
}

test('once the page is shown its scripts start, with nobody touching it', async ({ visitor }) => {
  await visitor.open('/contact');
  const isTaken = () =>
    Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer'));
  await expect.poll(() => visitor.driver.run(isTaken)).toBe(true);
});

test('the home page has its looks when it is reached from a form, though they were lost at first', async ({
  visitor,
  front,
}) => {
  front.fail('/assets/later-', 'cut', 1);
  await visitor.open('/help');
  await visitor.press('Home', 'nav ol');
  await visitor.sees(/Nau Mai, Haere Mai/);
  const cards = () => getComputedStyle(document.querySelector('#support ul') as Element).display;
  await expect.poll(() => visitor.driver.run(cards)).toBe('flex');
});
