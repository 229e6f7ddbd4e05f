import type { FastifyInstance } from 'fastify';
import type { ClosedNotice } from '../../model/closure.ts';
import type { Helplines } from '../../model/helplines.ts';
import type { OwnPage } from '../../model/own-page.ts';
import type { PageData } from '../../model/page-data.ts';
import type { PageName } from '../../model/routes.ts';
import type { Site } from '../../model/site.ts';
import type { StaffPageProps } from '../../model/staff-page.ts';
import type { CompressedFile } from './compressed-file.ts';
import type { PageAssets } from './document.ts';

interface OwnRendering {
  page: OwnPage;
  /** The data of all pages, with this page among them. */
  data: PageData;
}

/** The page for the time while the site is away. It fetches nothing. */
interface AwayRendering {
  site: Site;
  closed: ClosedNotice | undefined;
  helplines: Helplines;
  /** As a data: address. */
  logo: string;
  /** Whether the page responds to a posted form, which could not be accepted. */
  posted: boolean;
}

interface BodyAndCss {
  body: string;
  css: string;
}

/** The only interface between the server and React, built or straight from its sources. */
export interface Renderer {
  readonly assets: PageAssets;
  /** The built files, by path. */
  readonly files: ReadonlyMap<string, CompressedFile>;
  /** The inside of the page, as HTML. */
  render(page: PageName, data: PageData): Promise<string>;
  /** One of the trust's own pages, with the styles that only these pages need. */
  renderOwn(own: OwnRendering): Promise<BodyAndCss>;
  renderAway(away: AwayRendering): Promise<BodyAndCss>;
  renderStaff(staff: StaffPageProps): Promise<BodyAndCss>;
  /** Present in development: pages are rendered for each visit, and finished by Vite. */
  development?: {
    finish(path: string, html: string): Promise<string>;
    mount(app: FastifyInstance): void;
    reload(): void;
    close(): Promise<void>;
  };
}

/** The exports of src/web/entry-server.tsx. */
export interface EntryServer {
  laterCss: string;
  render(page: PageName, data: PageData): string;
  renderOwn(own: OwnRendering): BodyAndCss;
  renderAway(away: AwayRendering): BodyAndCss;
  renderStaff(staff: StaffPageProps): BodyAndCss;
}
