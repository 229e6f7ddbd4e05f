import { renderToString } from 'react-dom/server';
import { plain } from '../model/phrase.ts';
import type { Site } from '../model/site.ts';
import { Placeholder } from './home/Placeholder.tsx';

export function render(site: Site): string {
  const body = renderToString(<Placeholder site={site} />);
  const title = renderToString(<title>{plain(site.organisation)}</title>);
  return `<!doctype html><html lang="en-NZ"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${title}</head><body>${body}</body></html>`;
}
