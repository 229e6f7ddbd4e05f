import type { Page } from '@playwright/test';

/** How a translated word looks here: told from the original, and still found by it. */
export const translated = (text: string) => `‹${text}›`;

/**
 * What the translator inside Chrome does to a page, now and from now on: every text node is taken out, and two nested
 * `<font>` with other words stand in its place (facebook/react#11538).
 */
export async function translate(page: Page): Promise<void> {
  await page.evaluate(startTranslating);
}

/** The same, on every page from its first words on: the script finds a page that is translated already. */
export async function translateFromTheStart(page: Page): Promise<void> {
  await page.addInitScript(startTranslating);
}

function startTranslating(): void {
  const font = (child: Node | string) => {
    const element = document.createElement('font');
    element.style.verticalAlign = 'inherit';
    element.append(child);
    return element;
  };
  const replace = (text: Text) => {
    if (!text.data.trim() || text.parentElement?.closest('font, script, style, noscript, textarea, title'))
      return;
    text.replaceWith(font(font(`‹${text.data}›`)));
  };
  const replaceAll = (within: Node) => {
    if (within instanceof Text) replace(within);
    const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walk.nextNode()) texts.push(walk.currentNode as Text);
    texts.forEach(replace);
  };
  replaceAll(document);
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      for (const node of type === 'characterData' ? [target] : addedNodes)
        if (node.isConnected) replaceAll(node);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

/** The words on the page that the translator has not reached. */
export function untranslated(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walk.nextNode()) {
      const { data, parentElement } = walk.currentNode as Text;
      if (data.trim() && !parentElement?.closest('font, script, style, noscript, textarea')) found.push(data);
    }
    return found;
  });
}
