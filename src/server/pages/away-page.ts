import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { escapeHtml } from '../../model/escape-html.ts';
import { pageTitle } from '../../model/page-title.ts';
import type { Content } from '../content/content.ts';
import type { ContentSource } from '../content/content-source.ts';
import { defaultsFolder } from '../content/defaults.ts';
import { themeColour, themeCss } from '../content/theme.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { applyClosure } from './apply-closure.ts';
import { alonePolicy } from './content-policy.ts';
import { closedCss } from './document.ts';
import type { Renderer } from './renderer.ts';

/** By file, whether it answers a form. The files in deploy/ name them. */
const files = { 'away.html': false, 'away-post.html': true };

/** The web server runs as another user. What it shows to everybody, everybody may read. */
const forEverybody = 0o644;

/** A logo is sent with every one of these pages, so a large one (a photo, say) is left out. */
const longestLogo = 30_000;

export interface AwayPageParts {
  folder: string;
  renderer: Renderer;
  content: ContentSource;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
}

export interface AwayPage {
  /** Never fails: a site that serves must not end because it could not prepare for being away. */
  write(): Promise<void>;
}

/**
 * The page that the web server in front shows while this server cannot answer, in two files (docs/decisions/0106). It
 * is written again whenever the content changes, and every hour.
 */
export function createAwayPage({ folder, renderer, content, now, log }: AwayPageParts): AwayPage {
  let writing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    try {
      // Under the umask of the server only its own user could enter a folder that it makes.
      if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o755);
      for (const [name, posted] of Object.entries(files)) {
        const html = await composeAwayPage(renderer, content.current(), posted, now());
        await writeAtomically(join(folder, name), html, forEverybody);
      }
    } catch (err) {
      log.warn({ event: 'away page not written', err });
    }
  }

  /** One after the other, so that older words never replace newer. */
  const write = () => {
    writing = writing.then(writeAll);
    return writing;
  };
  content.onChange(write);
  return { write };
}

export async function composeAwayPage(
  { assets, renderAway }: Pick<Renderer, 'assets' | 'renderAway'>,
  content: Content,
  posted: boolean,
  now: Date,
): Promise<string> {
  const { theme, helplines } = content;
  const { site, closed } = applyClosure(content.site, now);
  const logo = await readLogo(content.folder);
  const rendered = await renderAway({ site, closed, helplines, logo, posted });
  const css = assets.css + rendered.css + (closed ? closedCss : '') + themeCss(theme);
  return [
    '<!doctype html><html lang="en-NZ"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="content-security-policy" content="${alonePolicy(css)}">`,
    '<meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">',
    `<title>${escapeHtml(pageTitle(site, 'home'))}</title>`,
    `<meta name="theme-color" content="${themeColour(theme)}">`,
    // Without it browsers ask for /favicon.ico.
    '<link rel="icon" href="data:,">',
    `<style>${css}</style></head><body>${rendered.body}</body></html>`,
  ].join('');
}

async function readLogo(contentFolder: string): Promise<string> {
  const ours = () => readFile(join(defaultsFolder, 'logo.svg'));
  const theirs = await readFile(join(contentFolder, 'logo.svg')).catch(ours);
  const logo = theirs.length > longestLogo ? await ours() : theirs;
  return `data:image/svg+xml;base64,${logo.toString('base64')}`;
}
