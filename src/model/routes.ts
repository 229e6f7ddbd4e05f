import type { FormName } from './form-field.ts';
import { forms } from './forms.ts';
import { inLanguage } from './language.ts';

export type PageName = 'home' | FormName;

/** In the browser, any other path leads home. */
export const routes = {
  home: { path: '/' },
  ...forms,
} as const satisfies Record<PageName, { path: string }>;

export const pageNames = Object.keys(routes) as PageName[];

/** What is no page: the first part of each address. */
export const otherRoutes = {
  assets: '/assets',
  photos: '/photos',
  graphql: '/graphql',
  botCheck: '/bot-check',
  health: '/health',
  metrics: '/metrics',
  staff: '/staff',
} as const;

/** The path of a page. @param prefix of its language. */
export const pathOf = (page: PageName, prefix: string): string => inLanguage(prefix, routes[page].path);

/** Ignores trailing slashes. @param path without the prefix of its language. */
export function pageAt(path: string): PageName | null {
  const withoutSlash = path.replace(/\/+$/, '') || '/';
  return pageNames.find((name) => routes[name].path === withoutSlash) ?? null;
}
