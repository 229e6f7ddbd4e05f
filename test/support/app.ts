import { onTestFinished } from 'vitest';
import type { BotCheckClient } from '../../src/model/bot-check-client.ts';
import { type AppParts, createApp } from '../../src/server/app.ts';
import { createAltcha } from '../../src/server/bot-check/altcha.ts';
import type { ContentSource } from '../../src/server/content/content-source.ts';
import { createNoScriptPosts } from '../../src/server/no-script-forms/no-script-posts.ts';
import type { CompressedFile } from '../../src/server/pages/compressed-file.ts';
import { createPages, type Pages } from '../../src/server/pages/pages.ts';
import { createCanaryMarks } from '../../src/server/self-checks/canary-mark.ts';
import { createStaffKeys } from '../../src/server/staff/staff-key.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { createSubmit } from '../../src/server/submissions/submit.ts';
import { stillContent } from './forms.ts';
import { collectLog } from './log.ts';
import { temporaryFolder } from './temporary.ts';
import { testSecret } from './tokens.ts';

/** The app with real parts, without a port, and its log at the most verbose level. */
export async function prepareApp(changes: Partial<AppParts> = {}) {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  const botCheck = changes.botCheck ?? createAltcha(testSecret);
  const { log, lines: logged } = collectLog();
  const content = changes.content ?? stillContent();
  const { publicUrl, previewLanguages = [] } = changes;
  const pages = await minimalPages(content, botCheck.client, { publicUrl, previewLanguages });
  const app = await createApp({
    content,
    submitForm: createSubmit({ store, botCheck, now: () => new Date() }),
    noScriptPosts: createNoScriptPosts(testSecret, () => new Date()),
    botCheck,
    pages,
    store,
    staffKeys: createStaffKeys(testSecret),
    health: wellHealth,
    gatherMetrics: async () => '',
    log,
    now: () => new Date(),
    canaryMarks: createCanaryMarks(testSecret, () => new Date()),
    ...{ publicUrl, previewLanguages, hstsSubdomains: false, monitorKey: undefined, trustProxy: undefined },
    ...changes,
  });
  onTestFinished(async () => {
    await app.close();
    await store.close();
  });
  return { app, store, pages, dataDir, logged };
}

const well = async () => ({ problems: [], warnings: [], forStaff: [] });
export const wellHealth: AppParts['health'] = {
  ready: well,
  deliveries: well,
  publicChecks: { ready: async () => true, deliveries: async () => true },
};

interface PlainPageParts extends Partial<Pick<AppParts, 'publicUrl' | 'previewLanguages'>> {
  files?: ReadonlyMap<string, CompressedFile>;
}

/** Empty pages, for tests that are not about pages. */
export function minimalPages(
  content: ContentSource,
  botCheck: BotCheckClient,
  { files = new Map(), publicUrl, previewLanguages = [], ...parts }: PlainPageParts = {},
): Promise<Pages> {
  const assets = {
    css: '',
    print: '',
    laterStyles: '/assets/none.css',
    early: '',
    slow: '',
    script: '/assets/none.js',
    formScript: '/assets/none.js',
    ownScript: '',
  };
  return createPages({
    renderer: {
      assets,
      files,
      async render(view) {
        if (view.kind === 'page') return { body: `<h1>${view.page}</h1>`, css: '' };
        if (view.kind === 'own') return { body: `<h1>${view.page.title}</h1>`, css: '' };
        return { body: view.kind === 'staff' ? JSON.stringify(view.view) : '', css: '' };
      },
    },
    ...{ ...parts, publicUrl, previewLanguages },
    content,
    photos: { description: 'none', search: async () => [], onChange: () => () => {} },
    botCheck,
    retentionDays: 30,
    unseenRetentionDays: 90,
    signTime: createNoScriptPosts(testSecret, () => new Date()).signTime,
    now: () => new Date(),
    onFailed: (error) => {
      throw error;
    },
  });
}

export type TestApp = Awaited<ReturnType<typeof prepareApp>>['app'];

/** One GraphQL request, each from an address of its own. */
export async function inject(app: TestApp, query: string, variables: object = {}) {
  const remoteAddress = `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`;
  const request = { method: 'POST', url: '/graphql', payload: { query, variables }, remoteAddress } as const;
  const response = await app.inject(request);
  return { response, ...response.json() };
}
