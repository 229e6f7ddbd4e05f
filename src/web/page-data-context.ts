import { createContext, useContext } from 'react';
import type { PageData } from '../model/page-data.ts';
import type { PageSite } from '../model/site.ts';

/** The same data on the server and in the browser. */
export const PageDataContext = createContext<PageData | null>(null);

export function usePageData(): PageData {
  const data = useContext(PageDataContext);
  if (!data) throw new Error('There is no page data around this component');
  return data;
}

export const useSite = (): PageSite => usePageData().site;
