import type { BotCheck } from '../bot-check/bot-check.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { Log } from '../log/log.ts';
import type { NoScriptPosts } from '../no-script-forms/no-script-posts.ts';
import { openBuild } from '../pages/open-build.ts';
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

/** The pages, their pictures, and the build that renders them. */
export async function buildPages(parts: BuildPagesParts) {
  const { settings, development, content, botCheck, noScriptPosts, now, log } = parts;
  const { persistBuild, ...build } = await openBuild({ ...settings, development, content, now, log });
  const photos = await createPhotos({ ...settings, content, log });
  const pages = await createPages({
    ...settings,
    ...build,
    content,
    photos,
    botCheck: botCheck.client,
    signTime: noScriptPosts.signTime,
    now,
    onFailed: (err) => log.error({ event: 'pages not rendered', err }),
  });
  return { photos, pages, persistBuild };
}
