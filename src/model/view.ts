import type { ClosedNotice } from './closure.ts';
import type { Helplines } from './helplines.ts';
import type { OwnPage } from './own-page.ts';
import type { PageData } from './page-data.ts';
import type { PageName } from './routes.ts';
import type { Site } from './site.ts';
import type { StaffView } from './staff-page.ts';

/** What React renders on the server. */
export type View =
  | { kind: 'page'; page: PageName; data: PageData }
  | ({ kind: 'own' } & OwnPageProps)
  | ({ kind: 'away' } & AwayPageProps)
  | ({ kind: 'staff' } & StaffPageProps);

/** One of the trust's own pages. */
export interface OwnPageProps {
  page: OwnPage;
  /** The data of all pages, with this page among them. */
  data: PageData;
}

/** The page for the time while the site is away. It fetches nothing. */
export interface AwayPageProps {
  site: Site;
  closed: ClosedNotice | undefined;
  helplines: Helplines;
  /** A data URL. */
  logo: string;
  /** The page is the response to a POST: a form was sent and not received. */
  posted: boolean;
}

export interface StaffPageProps {
  site: Site;
  view: StaffView;
}

/** The inside of a page, as HTML, and the styles that only this kind of page needs. */
export interface Rendered {
  body: string;
  css: string;
}
