import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml } from '../../model/escape-html.ts';
import { pageTitle } from '../../model/site-words.ts';
import type { Content } from '../content/content.ts';
import type { ContentSource } from '../content/content-source.ts';
import { defaultsFolder } from '../content/defaults.ts';
import { themeColour, themeCss } from '../content/theme.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Log } from '../log/log.ts';
import { applyClosure } from './apply-closure.ts';
import { standalonePolicy } from './content-policy.ts';
import { closedCss } from './page-css.ts';
import type { Renderer } from './renderer.ts';

/** By file, whether the page responds to a posted form. The configurations in deploy/ name these files. */
const files = { 'away.html': false, 'away-post.html': true };

/** The web server in front runs as another user. */
const readableByAll = 0o644;

/** Bytes. Each of these pages contains the logo, so a larger one (such as a photo) is replaced by the product's. */
const maxLogoBytes = 30_000;

interface AwayPageParts {
  folder: string;
  renderer: Renderer;
  content: ContentSource;
  now: () => Date;
  log: Pick<Log, 'warn'>;
}

/**
 * Writes the page that the web server in front shows while this server does not respond, in two files
 * (docs/decisions/0106), again whenever the content changes. Returns a function that writes them at once. It never
 * rejects: a failure to prepare for an outage must not end a running server.
 */
export function createAwayPage({ folder, renderer, content, now, log }: AwayPageParts): () => Promise<void> {
  let writing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    try {
      // The server's umask would let only its own user into the folder.
      if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o755);
      for (const [name, posted] of Object.entries(files)) {
        const html = await composeAwayPage(renderer, content.current(), posted, now());
        await writeAtomically(join(folder, name), html, { mode: readableByAll });
      }
    } catch (err) {
      log.warn({ event: 'away page not written', err });
    }
  }

  /** One after the other, so that older content never replaces newer. */
  const write = () => {
    writing = writing.then(writeAll);
    return writing;
  };
  content.onChange(write);
  return write;
}

export async function composeAwayPage(
  { assets, render }: Pick<Renderer, 'assets' | 'render'>,
  content: Content,
  posted: boolean,
  now: Date,
): Promise<string> {
  const { theme, helplines } = content;
  const { site, closed } = applyClosure(content.site, now);
  const logo = await readLogo(content.folder);
  const rendered = await render({ kind: 'away', site, closed, helplines, logo, posted });
  const css = assets.css + assets.print + rendered.css + (closed ? closedCss : '') + themeCss(theme);
  return [
    `<!doctype html><html lang="${escapeHtml(site.language.tag)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="content-security-policy" content="${standalonePolicy(css)}">`,
    '<meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">',
    `<title>${escapeHtml(pageTitle(site, 'home'))}</title>`,
    `<meta name="theme-color" content="${themeColour(theme)}">`,
    // Without this line browsers ask for /favicon.ico.
    '<link rel="icon" href="data:,">',
    `<style>${css}</style></head><body>${rendered.body}</body></html>`,
  ].join('');
}

async function readLogo(contentFolder: string): Promise<string> {
  const readDefault = () => readFile(join(defaultsFolder, 'logo.svg'));
  const ofTrust = await readFile(join(contentFolder, 'logo.svg')).catch(readDefault);
  const logo = ofTrust.length > maxLogoBytes ? await readDefault() : ofTrust;
  return `data:image/svg+xml;base64,${logo.toString('base64')}`;
}
