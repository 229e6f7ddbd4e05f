import { test as base, inject } from 'vitest';
import type { Engine } from '../support/engines.ts';
import { type Front, startFront } from '../support/front.ts';
import { type NeutralPage, startNeutralPage } from '../support/neutral-page.ts';
import { type SiteServer, startSite } from '../support/site-server.ts';
import type { EngineProcess } from './driver.ts';
import { startFirefox } from './firefox.ts';
import { createVisitor, type Visitor } from './visitor.ts';
import { startOldWebkit, startWebkit } from './webkit.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Which one, and where its programs are (project.ts). */
    engine: { name: Engine['name']; paths: string[] };
  }
}

const start = { Firefox: startFirefox, WebKit: startWebkit, 'old WebKit': startOldWebkit };

interface FileFixtures {
  engine: EngineProcess;
  neutral: NeutralPage;
  site: SiteServer;
  front: Front;
}

/** A site whose way out leads to a page on this machine, and a visitor with a window of the engine in question. */
export const test = base.extend<{
  $file: FileFixtures;
  $test: { visitor: Visitor };
}>({
  engine: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of a fixture's parts from here
    async ({}, use) => {
      const { name, paths } = inject('engine');
      const engine = await start[name](paths);
      await use(engine);
      await engine.end();
    },
    { scope: 'file' },
  ],
  neutral: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const neutral = await startNeutralPage();
      await use(neutral);
      await neutral.stop();
    },
    { scope: 'file' },
  ],
  site: [
    async ({ neutral }, use) => {
      const site = await startSite({ site: [['https://www.metservice.com/', neutral.url]] });
      await use(site);
      await site.stop();
    },
    { scope: 'file' },
  ],
  front: [
    async ({ site }, use) => {
      const front = await startFront(site.url);
      await use(front);
      await front.stop();
    },
    { scope: 'file' },
  ],
  visitor: async ({ engine, front }, use) => {
    const driver = await engine.open();
    await use(createVisitor(driver, front.url));
    await driver.close();
    front.mend();
  },
});
