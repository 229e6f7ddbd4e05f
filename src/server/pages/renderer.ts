import type { ViteDevServer } from 'vite';
import type { Site } from '../../model/site.ts';

/** What the built React bundle offers the server. The one seam between the two. */
export interface Renderer {
  render(site: Site): string;
}

/** The bundle `npm run build` made. */
export async function loadBuiltRenderer(): Promise<Renderer> {
  const bundle = new URL('../../../dist/server/entry-server.js', import.meta.url);
  return (await import(bundle.href)) as Renderer;
}

/** The sources themselves, through Vite. */
export async function loadDevelopmentRenderer(vite: ViteDevServer): Promise<Renderer> {
  return (await vite.ssrLoadModule('/src/web/entry-server.tsx')) as Renderer;
}
