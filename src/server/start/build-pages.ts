import type { BotCheck } from '../bot-check/bot-check.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { Log } from '../log/log.ts';
import type { NoScriptPosts } from '../no-script-forms/no-script-posts.ts';
import { createAwayPage } from '../pages/away-page.ts';
import { loadBuiltRenderer } from '../pages/built-renderer.ts';
import { startDevelopmentRenderer } from '../pages/development-renderer.ts';
import { createPages } from '../pages/pages.ts';
import { createPhotos } from '../photos/create-photos.ts';
import type { Settings } from '../settings/settings.ts';

interface BuildPagesParts {
  settings: Settings;
  development: boolean;
  content: ContentSource;
  botCheck: BotCheck;
  noScriptPosts: NoScriptPosts;
  now: () => Date;
  log: Log;
}

/** The pages, their pictures, and what writes the page for the time after this server. */
export async function buildPages(parts: BuildPagesParts) {
  const { settings, development, content, botCheck, noScriptPosts, now, log } = parts;
  const renderer = await (development ? startDevelopmentRenderer() : loadBuiltRenderer());
  const photos = await createPhotos({ ...settings, content, log });
  const pages = await createPages({
    ...settings,
    renderer,
    content,
    photos,
    botCheck: botCheck.client,
    signTime: noScriptPosts.signTime,
    now,
    onFailed: (err) => log.error({ event: 'pages not rendered', err }),
  });
  const { awayDir: folder } = settings;
  const writeAwayPage =
    folder && !development ? createAwayPage({ folder, renderer, content, now, log }) : async () => {};
  return { photos, pages, writeAwayPage };
}
