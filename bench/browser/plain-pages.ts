import type { RequestListener } from 'node:http';

/**
 * The site's own pages without React: the same markup and styles, and a script of ten lines for what a browser does not do by
 * itself. What a page of this length costs a slow phone is in both sides of the ratio.
 */
export async function plainPages(site: string): Promise<RequestListener> {
  const pages = new Map<string, string>();
  for (const [path, next] of Object.entries(nextPages)) {
    const { html } = await read(site, path);
    const { root } = await read(site, next);
    pages.set(path, `${html}<template id="next">${root}</template><script>(${act})()</script>`);
  }
  return (request, response) => {
    const page = pages.get(request.url ?? '');
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  };
}

/** The page that a press on the page shows in its place. */
const nextPages = { '/': '/help', '/help': '/en-nz-x-easy/help' };

async function read(site: string, path: string) {
  const page = await (await fetch(site + path)).text();
  const html = page.replace(/<(script|template)[\s\S]*?<\/\1>/g, '');
  return { html, root: /<div id="root">[\s\S]*<\/div>/.exec(html)?.[0] ?? '' };
}

function act(): void {
  addEventListener('submit', (event) => event.preventDefault());
  addEventListener('click', (event) => {
    const control = (event.target as Element).closest(
      'summary, [formaction], a[href="/help"], [type=submit]',
    );
    if (!control) return;
    event.preventDefault();
    if (control.matches('summary')) {
      (control.parentElement as HTMLDetailsElement).open = true;
      control.parentElement?.querySelector('dialog')?.showModal();
    } else if (control.matches('a, [formaction]')) {
      const next = document.getElementById('next') as HTMLTemplateElement;
      document.getElementById('root')?.replaceWith(next.content);
      if (control.matches('a')) scrollTo(0, 0);
    } else {
      control.setAttribute('aria-busy', 'true');
      control.textContent = 'Sending…';
      document.querySelector('#form > div')?.toggleAttribute('inert', true);
    }
  });
}
