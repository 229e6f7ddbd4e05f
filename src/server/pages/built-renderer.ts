import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type PageName, pageNames } from '../../model/routes.ts';
import { assetTypes, type KeptFile, readKept } from './kept-file.ts';
import type { EntryServer, Renderer } from './renderer.ts';

/** What `npm run build` made: the renderer, and the files browsers fetch. */

const dist = new URL('../../../dist/', import.meta.url);
const entry = 'src/web/entry-client.tsx';
const formPage = 'src/web/form/FormPage.tsx';

interface ManifestChunk {
  file: string;
  css?: string[];
  imports?: string[];
}
type Manifest = Record<string, ManifestChunk>;

export async function loadBuiltRenderer(): Promise<Renderer> {
  const manifest = await readManifest();
  const [bundle, files, css, early] = await Promise.all([
    import(new URL('server/entry-server.js', dist).href) as Promise<EntryServer>,
    readAssets(),
    readCss(manifest),
    readFile(new URL('early/entry-early.js', dist), 'utf8'),
  ]);
  const parts = Object.fromEntries(
    pageNames.map((page) => {
      const modules = page === 'home' ? [entry] : [entry, formPage];
      return [page, [...new Set(modules.flatMap((module) => filesOf(manifest, module)))]];
    }),
  ) as Record<PageName, string[]>;
  return {
    assets: { css, early: early.trim(), parts, form: `/${manifest[formPage]?.file}` },
    files,
    render: async (page, data) => bundle.render(page, data),
  };
}

async function readManifest(): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(new URL('client/.vite/manifest.json', dist), 'utf8'));
  } catch (cause) {
    throw new Error('The pages are not built yet. Run `npm run build` first.', { cause });
  }
}

/** A module's file and those of everything it imports at once. */
function filesOf(manifest: Manifest, module: string): string[] {
  const chunk = manifest[module];
  if (!chunk) return [];
  return [`/${chunk.file}`, ...(chunk.imports ?? []).flatMap((one) => filesOf(manifest, one))];
}

async function readCss(manifest: Manifest): Promise<string> {
  const names = new Set(
    Object.values(manifest).flatMap(({ file, css = [] }) => (file.endsWith('.css') ? [file, ...css] : css)),
  );
  const sheets = await Promise.all(
    [...names].map((name) => readFile(new URL(`client/${name}`, dist), 'utf8')),
  );
  return sheets.join('').trim();
}

async function readAssets(): Promise<Map<string, KeptFile>> {
  const folder = new URL('client/assets/', dist);
  const names = (await readdir(folder)).filter((name) => extname(name) in assetTypes);
  const kept = await Promise.all(
    names.map(async (name) => {
      const file = await readKept(new URL(name, folder), assetTypes[extname(name)] ?? '');
      return [`/assets/${name}`, file] as const;
    }),
  );
  return new Map(kept);
}
