import type { Logger } from 'pino';
import type { BotCheck } from '../bot-check/bot-check.ts';
import type { ContentSource } from '../content/content-source.ts';
import { openBuild } from '../pages/open-build.ts';
import { createPages } from '../pages/pages.ts';
import { createPhotos } from '../photos/create-photos.ts';
import type { PlainPosts } from '../plain-forms/plain-posts.ts';
import type { Settings } from '../settings/settings.ts';

export interface BuildPagesParts {
  settings: Settings;
  development: boolean;
  content: ContentSource;
  botCheck: BotCheck;
  plainPosts: PlainPosts;
  now: () => Date;
  log: Logger;
}

/** The pages, their pictures, and the build that renders them. */
export async function buildPages(parts: BuildPagesParts) {
  const { settings, development, content, botCheck, plainPosts, now, log } = parts;
  const { keepBuild, ...build } = await openBuild({ ...settings, development, content, now, log });
  const photos = await createPhotos({ ...settings, content, log });
  const pages = createPages({
    ...settings,
    ...build,
    content,
    photos,
    botCheck: botCheck.client,
    signTime: plainPosts.signTime,
    now,
    onFailed: (err) => log.error({ event: 'pages not rendered', err }),
  });
  return { photos, pages, keepBuild };
}
