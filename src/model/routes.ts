import type { FormName } from './form-field.ts';

export type PageName = 'home' | FormName;

/** The three pages of the site and the names their breadcrumbs give them. Any other path leads home. */
export const routes = {
  home: { path: '/', breadcrumb: 'Home' },
  help: { path: '/help', breadcrumb: 'Get Help Form' },
  contact: { path: '/contact', breadcrumb: 'Contact Us Form' },
} as const satisfies Record<PageName, { path: string; breadcrumb: string }>;

export const pageNames = Object.keys(routes) as PageName[];

export function pageAt(path: string): PageName | null {
  return pageNames.find((name) => routes[name].path === path) ?? null;
}
