import { createContext, use } from 'react';
import type { PageData } from '../model/page-data.ts';
import type { PageSite } from '../model/site.ts';

/** The same data on the server and in the browser. */
export const PageDataContext = createContext<PageData | null>(null);

export function usePageData(): PageData {
  const data = use(PageDataContext);
  if (!data) throw new Error('No page data');
  return data;
}

export const useSite = (): PageSite => usePageData().site;
