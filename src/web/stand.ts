/** Told of a page that React made anew or gave up; the latter with the words of its button, as `detail`. */
export const remadeEvent = 'remade';

/**
 * What React says about a form while it runs, and nobody would keep true without it: as attributes, and as words. The
 * rest of the page is what the server would send.
 */
const attributes = ['inert', 'disabled', 'novalidate', 'open', 'aria-busy', 'aria-disabled', 'aria-invalid'];
const words = 'form [role=alert], form [role=status], [data-hint]';

/** From here on the browser runs the page by itself: links are links, and the form is posted. */
export function standWithoutReact(send: string): void {
  const each = (selector: string) => document.querySelectorAll(selector);
  for (const name of attributes) {
    for (const element of each(`[${name}]`)) element.removeAttribute(name);
  }
  for (const element of each(words)) element.textContent = '';
  for (const button of each('#form [type=submit]')) button.textContent = send;
}
