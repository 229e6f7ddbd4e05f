import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { assetTypes, type CompressedFile, compressFile, readCompressedFile } from './compressed-file.ts';
import type { EntryServer, Renderer } from './renderer.ts';

/** The renderer and the browsers' files that `npm run build` made. */

const dist = new URL('../../../dist/', import.meta.url);
const entry = 'src/web/entry-client.tsx';
const formPage = 'src/web/form/page/FormPage.tsx';

/** As the build writes them: without a group of rules inside. */
const printRules = /@media print\{(?:[^{}]*\{[^{}]*\})*\}/g;

interface ManifestChunk {
  file: string;
  css?: string[];
}
type Manifest = Record<string, ManifestChunk>;

export async function loadBuiltRenderer(): Promise<Renderer> {
  const manifest = await readManifest();
  const [bundle, files, sheet, early, slow] = await Promise.all([
    import(new URL('server/entry-server.js', dist).href) as Promise<EntryServer>,
    readAssets(),
    readCss(manifest),
    readFile(new URL('early/entry-early.js', dist), 'utf8'),
    readFile(new URL('early/entry-slow.js', dist), 'utf8'),
  ]);
  const address = (module: string) => {
    const chunk = manifest[module];
    if (!chunk) throw new Error(`The build has no ${module}. Run \`npm run build\` again.`);
    return `/${chunk.file}`;
  };
  const print = (sheet.match(printRules) ?? []).join('');
  const later = await compressFile(bundle.laterCss + print, assetTypes['.css'] ?? '');
  const laterStyles = `/assets/later-${later.hash}.css`;
  return {
    assets: {
      css: sheet.replaceAll(printRules, ''),
      print,
      laterStyles,
      early: early.trim(),
      slow: slow.trim(),
      script: address(entry),
      formScript: address(formPage),
      ownScript: '',
    },
    files: files.set(laterStyles, later),
    render: async (view) => bundle.render(view),
  };
}

async function readManifest(): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(new URL('client/.vite/manifest.json', dist), 'utf8'));
  } catch (cause) {
    throw new Error('The pages are not built yet. Run `npm run build` first.', { cause });
  }
}

async function readCss(manifest: Manifest): Promise<string> {
  const names = new Set(
    Object.values(manifest).flatMap(({ file, css = [] }) => (file.endsWith('.css') ? [file, ...css] : css)),
  );
  const sheets = await Promise.all(
    [...names].map((name) => readFile(new URL(`client/${name}`, dist), 'utf8')),
  );
  // A comment of the build tool.
  return sheets
    .join('')
    .replaceAll(/\s*\/\*\$vite\$:\d+\*\//g, '')
    .trim();
}

async function readAssets(): Promise<Map<string, CompressedFile>> {
  const folder = new URL('client/assets/', dist);
  const names = (await readdir(folder)).filter((name) => extname(name) in assetTypes);
  const files = await Promise.all(
    names.map(async (name) => {
      const file = await readCompressedFile(new URL(name, folder), assetTypes[extname(name)] ?? '');
      return [`/assets/${name}`, file] as const;
    }),
  );
  return new Map(files);
}
