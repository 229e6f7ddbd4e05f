import { expect } from 'vitest';
import { fill, filled } from './answers.ts';
import { test } from './engine-test.ts';
import { look } from './visitor.ts';

/** Whatever keeps the script away, the browser posts the form by itself, and the server answers with a page. */
for (const form of ['help', 'contact'] as const) {
  test(`/${form} without its script: an error is corrected, it is sent, and Back shows nothing of it`, async ({
    visitor,
    front,
  }) => {
    front.fail('/assets/', 'cut');
    await visitor.open(`/${form}`);
    // Spaces satisfy the browser, and not the server.
    await visitor.answer('First name', '  ');
    await fill[form](visitor, { without: 'First name' });
    await visitor.press('Send Request');
    await visitor.sees('First name is required');
    const kept = filled[form].filter((words) => words !== 'Sample');
    expect((await look(visitor.driver)).answers).toEqual(expect.arrayContaining(kept));
    await visitor.answer('First name', 'Sample');
    await visitor.press('Send Request');
    await visitor.sees(/say this reference.* \S+/);
    await visitor.at(`/${form}`);
    await visitor.press('Make Another Submission');
    await visitor.sees('First name');
    await visitor.back();
    // The empty form; in Firefox, a page of its own that says the document has expired.
    await expect.poll(async () => (await look(visitor.driver)).text).not.toContain('say this reference');
    expect((await look(visitor.driver)).answers).toEqual([]);
  });
}
