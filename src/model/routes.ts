import type { FormName } from './form-field.ts';

export type PageName = 'home' | FormName;

/** In the browser, any other path leads home. */
export const routes = {
  home: { path: '/' },
  help: { path: '/help' },
  contact: { path: '/contact' },
} as const satisfies Record<PageName, { path: string }>;

export const pageNames = Object.keys(routes) as PageName[];

/** Ignores trailing slashes. */
export function pageAt(path: string): PageName | null {
  const withoutSlash = path.replace(/\/+$/, '') || '/';
  return pageNames.find((name) => routes[name].path === withoutSlash) ?? null;
}
