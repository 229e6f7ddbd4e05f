import { expect } from 'vitest';
import { fill, filled } from './answers.ts';
import { test } from './engine-test.ts';
import { look } from './visitor.ts';

const easy = '/en-nz-x-easy';

for (const script of ['with', 'without'] as const) {
  test(`${script} its script a form is switched to another language and back, with every answer, and sent`, async ({
    visitor,
    front,
  }) => {
    if (script === 'without') front.fail('/assets/', 'cut');
    await visitor.open('/help');
    await fill.help(visitor);
    const language = () => visitor.driver.run(() => document.documentElement.lang);
    for (const [name, tag, path] of [
      ['Easy words', 'en-NZ-x-easy', `${easy}/help`],
      ['English', 'en-NZ', '/help'],
    ] as const) {
      await visitor.press(name);
      await expect.poll(() => language().catch(() => '')).toBe(tag);
      await visitor.at(path);
      expect((await look(visitor.driver)).answers).toEqual(filled.help);
    }
    await visitor.press('Send Request');
    await visitor.sees(/say this reference.* \S+/);
  });
}
