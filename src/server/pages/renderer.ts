import type { FastifyInstance } from 'fastify';
import type { Rendered, View } from '../../model/view.ts';
import type { CompressedFile } from './compressed-file.ts';
import type { PageAssets } from './document.ts';

/** The only interface between the server and React, built or straight from its sources. */
export interface Renderer {
  readonly assets: PageAssets;
  /** The built files, by path. */
  readonly files: ReadonlyMap<string, CompressedFile>;
  render(view: View): Promise<Rendered>;
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
  render(view: View): Rendered;
}
