import { chromium } from '@playwright/test';
import lighthouse, { type Flags } from 'lighthouse';
import { chromiumArgs, getWholeChromium } from '../../test/support/chromium.ts';
import { freePort } from '../../test/support/free-port.ts';
import { type SiteServer, startSite } from '../../test/support/site-server.ts';

export type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** The phone on a slow link that Lighthouse's mobile runs are modelled on. */
export interface ModelledPhone {
  visit(address: string, flags?: Flags): Promise<Report>;
  close(): Promise<void>;
}

export async function openModelledPhone(): Promise<ModelledPhone> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: getWholeChromium(),
    args: [...chromiumArgs, `--remote-debugging-port=${port}`],
  });
  return {
    async visit(address, flags) {
      const result = await lighthouse(address, { ...flags, port, output: 'json', logLevel: 'error' });
      if (!result) throw new Error(`Lighthouse had no result for ${address}`);
      return result.lhr;
    },
    close: () => browser.close(),
  };
}

/** Lighthouse wants the canonical address to be the one that is visited. */
export async function startVisitedSite(): Promise<SiteServer> {
  const port = await freePort();
  const site = await startSite({ env: { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` } });
  return site;
}
