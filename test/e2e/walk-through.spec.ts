import { expect, test, visit } from './site.ts';
import { type State, states } from './states.ts';

/**
 * What a screen reader finds on each page and in each state, in its order: names, roles, levels, states. The files in
 * aria/ are read like a page; docs/accessibility.md says what was looked for.
 */
for (const state of states) {
  const { name, path, complaint, reach }: State = state;
  test(`a screen reader's way through ${name}`, async ({ openPage, watch }) => {
    if (complaint) watch.expectComplaint(complaint);
    const page = await openPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    await visit(page, path);
    await reach?.(page);
    await expect(page.locator('body')).toMatchAriaSnapshot({ name: `${name}.aria.yml` });
  });
}
