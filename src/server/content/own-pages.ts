import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { OwnPage } from '../../model/own-page.ts';
import { otherRoutes, pageNames, routes } from '../../model/routes.ts';
import { defaultsFolder } from './defaults.ts';
import { type Article, readArticle, splitBlocks } from './markdown.ts';
import { type ContentProblem, parseYaml, type ReadResult, readText } from './read-yaml.ts';
import { words } from './words.ts';
import { findWrongLetter } from './yaml-mistakes.ts';

/**
 * The trust's own pages, content/pages/*.md: a head between two lines of --- and a text in Markdown. The product has some too,
 * defaults/pages/*.md: a trust's file of such a name takes its place, and an empty one takes it away.
 */

export const ownPagesFolder = 'pages';

// A page may be named staff: the links in mails to staff are longer.
const { staff: _staff, ...reservedRoutes } = otherRoutes;

/** The first part of every other address on the site, and that of the sources in development. */
export const reservedNames = [
  ...pageNames.map((name) => routes[name].path),
  ...Object.values(reservedRoutes),
  '/src',
].flatMap((path) => path.slice(1) || []);

const headSchema = z.strictObject({
  title: words,
  subtitle: words.optional(),
  description: words.optional(),
  photo: words.optional(),
  menu: z.boolean({ error: 'expected true or false' }).optional(),
  footer: z.boolean({ error: 'expected true or false' }).optional(),
  menuLabel: words.optional(),
});

const wrongName =
  'has a name that cannot be an address: use small letters, digits and - only, such as about-us.md';
const reservedName = 'has the name of something else on this site: give the file another name';
const wrongKind = 'is not a page: save it as plain text, with a name that ends in .md';
const noHead =
  'has no head: begin it with a line of ---, then title: and its title, then a line of --- again';
const openHead = 'has a head that never ends: put a line of --- below it';
const noText = 'has no text below its head';

type Head = z.output<typeof headSchema>;

/** The words of a page as they were written, for their translations. */
export interface OwnPageSource {
  name: string;
  isInMenu: boolean;
  isInFooter: boolean;
  head: Pick<Head, 'title' | 'subtitle' | 'description' | 'menuLabel'>;
  /** Markdown, a piece for each block at the top level. */
  blocks: string[];
}

interface OwnPages {
  pages: OwnPage[];
  sources: OwnPageSource[];
}

/** A site without this folder has no such pages, which is no mistake. */
export async function readOwnPages(
  contentDir: string,
  defaultPagesFolder = join(defaultsFolder, ownPagesFolder),
): Promise<ReadResult<OwnPages>> {
  const folder = join(contentDir, ownPagesFolder);
  const files = await listPages(folder);
  const defaultFiles = await listPages(defaultPagesFolder);
  const problems: ContentProblem[] = [];
  const read = await Promise.all([
    ...files
      .filter((name) => !(defaultFiles.includes(name) && isEmpty(join(folder, name))))
      .map((name) => readOwnPage(folder, name)),
    ...defaultFiles
      .filter((name) => !files.includes(name))
      .map((name) => readOwnPage(defaultPagesFolder, name)),
  ]);
  for (const one of read) problems.push(...one.problems);
  const pages = read.flatMap(({ page }) => page ?? []);
  const knownPaths = [...pageNames.map((name) => routes[name].path), ...pages.map(({ name }) => `/${name}`)];
  if (problems.length === 0) {
    for (const { file, ownPaths } of read) {
      for (const { path, line } of ownPaths) {
        if (knownPaths.includes(path)) continue;
        problems.push({ file, line, message: `the link “${path}” leads to no page of this site` });
      }
    }
  }
  const sources = read.flatMap(({ source }) => source ?? []);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: { pages, sources } };
}

async function listPages(folder: string): Promise<string[]> {
  const files = existsSync(folder) ? (await readdir(folder)).toSorted() : [];
  // Leaves out the copies that editors make of open files.
  return files.filter((name) => !/^[.#]|~$/.test(name));
}

const isEmpty = (path: string) => statSync(path).size === 0;

interface ReadPage extends Pick<Article, 'ownPaths'> {
  file: string;
  page?: OwnPage;
  source?: OwnPageSource;
  problems: ContentProblem[];
}

async function readOwnPage(folder: string, fileName: string): Promise<ReadPage> {
  const file = `${ownPagesFolder}/${fileName}`;
  const wrong = (message: string, line: number | null = null): ReadPage => ({
    file,
    problems: [{ file, line, message }],
    ownPaths: [],
  });
  const name = fileName.replace(/\.md$/, '');
  if (name === fileName) return wrong(wrongKind);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return wrong(wrongName);
  if (reservedNames.includes(name)) return wrong(reservedName);

  const text = await readText(join(folder, fileName), file);
  if (!text.ok) return { file, problems: text.problems, ownPaths: [] };
  const source = text.value.replace(/^\uFEFF/, '');
  const letter = findWrongLetter(source);
  if (letter) return wrong(letter.message, letter.line);
  const lines = source.split(/\r?\n/);
  if (lines[0]?.trim() !== '---') return wrong(noHead, 1);
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === '---');
  if (end < 0) return wrong(openHead, 1);

  // An empty line in place of the first --- makes the line numbers right.
  const head = parseYaml(['', ...lines.slice(1, end)].join('\n'), file, { schema: headSchema });
  const body = lines.slice(end + 1).join('\n');
  const { blocks, mistakes, ownPaths } = readArticle(body, end + 1);
  if (body.trim() === '') mistakes.push({ line: end + 1, message: noText });
  const problems = [...(head.ok ? [] : head.problems), ...mistakes.map((mistake) => ({ file, ...mistake }))];
  if (!head.ok || problems.length > 0) return { file, problems, ownPaths };

  const { photo, menu = false, footer = false, ...words } = head.value;
  const written = { name, isInMenu: menu, isInFooter: footer, head: words, blocks: splitBlocks(body) };
  return { file, page: composePage(written, blocks, photo), source: written, problems, ownPaths };
}

export function composePage(
  { name, isInMenu, isInFooter, head }: OwnPageSource,
  article: OwnPage['article'],
  photo: string | undefined,
): OwnPage {
  const { title, subtitle = '', description = subtitle || title, menuLabel = title } = head;
  return {
    name,
    title,
    subtitle,
    description,
    ...(photo === undefined ? {} : { photo }),
    ...(isInMenu ? { menuLabel } : {}),
    ...(isInFooter ? { footerLabel: menuLabel } : {}),
    article,
  };
}
