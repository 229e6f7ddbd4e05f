import type { FastifyInstance } from 'fastify';
import type { ClosedNotice } from '../../model/closure.ts';
import type { Helplines } from '../../model/helplines.ts';
import type { OwnPage } from '../../model/own-page.ts';
import type { PageData } from '../../model/page-data.ts';
import type { PageName } from '../../model/routes.ts';
import type { Site } from '../../model/site.ts';
import type { CompressedFile } from './compressed-file.ts';
import type { PageAssets } from './document.ts';

export interface OwnRendering {
  page: OwnPage;
  /** In which it is one page among the others. */
  data: PageData;
}

/** The page for the time the site is away, of which nothing is fetched. */
export interface AwayRendering {
  site: Site;
  closed: ClosedNotice | undefined;
  helplines: Helplines;
  /** An address with all of the logo in it. */
  logo: string;
  /** A form was sent, and nobody was there to take it. */
  posted: boolean;
}

export interface OwnRendered {
  body: string;
  css: string;
}

/** What the React side offers the server, built or straight from its sources. The one seam between the two. */
export interface Renderer {
  readonly assets: PageAssets;
  /** The built files, by path. */
  readonly files: ReadonlyMap<string, CompressedFile>;
  /** The inside of the page, as HTML. */
  render(page: PageName, data: PageData): Promise<string>;
  /** One of the trust's own, with what of its style sheet no other page has. */
  renderOwn(own: OwnRendering): Promise<OwnRendered>;
  renderAway(away: AwayRendering): Promise<OwnRendered>;
  /** Present in development: pages are made afresh for each visit, and pass through here last. */
  development?: {
    finish(path: string, html: string): Promise<string>;
    mount(app: FastifyInstance): void;
    reload(): void;
    close(): Promise<void>;
  };
}

/** What the module src/web/entry-server.tsx exports. */
export interface EntryServer {
  render(page: PageName, data: PageData): string;
  renderOwn(own: OwnRendering): OwnRendered;
  renderAway(away: AwayRendering): OwnRendered;
}
