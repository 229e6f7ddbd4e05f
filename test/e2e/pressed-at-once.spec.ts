import type { Page } from '@playwright/test';
import { fillContact, send, textbox } from './forms.ts';
import { expect, test, visit } from './site.ts';

/** The last answer and the press come in one task: nothing could be rendered between them. */
async function answerAndPress(page: Page, press: 'Enter' | 'pointer'): Promise<void> {
  await textbox(page, 'Your message to us').evaluate((field: HTMLTextAreaElement, how) => {
    const button = document.querySelector<HTMLButtonElement>('#form [type=submit]');
    const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
    setValue?.call(field, 'The last word');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    const bubbles = { bubbles: true };
    if (how === 'Enter') field.dispatchEvent(new KeyboardEvent('keydown', { ...bubbles, key: 'Enter' }));
    else button?.dispatchEvent(new PointerEvent('pointerdown', bubbles));
    // A disabled button ignores this.
    button?.click();
  }, press);
}

for (const press of ['Enter', 'pointer'] as const)
  test(`a form that is sent by ${press} in the moment of its last letter is sent, with that letter`, async ({
    page,
  }) => {
    await visit(page, '/contact');
    await fillContact(page);
    await textbox(page, 'Your message to us').fill('');
    await expect(send(page)).toBeDisabled();
    const sent = page.waitForRequest('**/graphql');
    await answerAndPress(page, press);
    expect((await sent).postData()).toContain('The last word');
    await expect(page.getByRole('heading', { name: 'we have your message' })).toBeVisible();
  });
