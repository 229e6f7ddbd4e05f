import { createContext, use } from 'react';
import type { PageData } from '../model/page-data.ts';
import type { PageSite } from '../model/site.ts';

/** The same data on the server and in the browser. Every page is rendered inside of it, so there is no default. */
export const PageDataContext = createContext(null as unknown as PageData);

export const usePageData = (): PageData => use(PageDataContext);

export const useSite = (): PageSite => usePageData().site;
