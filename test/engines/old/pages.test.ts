import { expect } from 'vitest';
import { test } from '../engine-test.ts';

const headings = { '/': 'Nau Mai, Haere Mai', '/help': 'Get Help', '/contact': 'Contact Us' };

/** In a frame as wide as a phone: this engine's window has one size. */
for (const [path, heading] of Object.entries(headings)) {
  test(`${path} is shown, and its way out is in view on a phone`, async ({ visitor, front }) => {
    await visitor.open(front.framed(path, 390));
    const look = () => visitor.driver.run(lookIntoFrame);
    await expect.poll(look).toMatchObject({ width: 390, taken: true });
    const { text, left, right } = await look();
    expect(text).toContain(heading);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(390);
  });
}

function lookIntoFrame() {
  const page = document.querySelector('iframe')?.contentDocument;
  const box = page?.querySelector('header [data-leave]')?.getBoundingClientRect();
  const root = page?.getElementById('root') ?? {};
  return {
    width: page?.defaultView?.innerWidth,
    /** React has it, and what is shown is what it left. */
    taken: Object.keys(root).some((key) => key.startsWith('__reactContainer')),
    text: page?.body.innerText,
    left: box?.left ?? -1,
    right: box?.right ?? -1,
  };
}
