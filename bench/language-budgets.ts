import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { pageDataId } from '../src/model/page-data.ts';
import { pageNames, pathOf } from '../src/model/routes.ts';
import { readContent } from '../src/server/content/content.ts';
import { shownLanguages } from '../src/server/content/languages/shown-languages.ts';
import { writePseudoLanguage } from '../test/support/pseudo-language.ts';
import { startSite } from '../test/support/site-server.ts';
import { firstFlight, htmlBudget } from './browser/page-budgets.ts';
import type { Finding } from './report.ts';

/** What a page costs in another language: in those that ship, and in one whose words are 40 % longer (docs/decisions/0127). */

const pseudo = 'en-XA';

export async function measureLanguagePages(): Promise<Finding[]> {
  const site = await startSite({ prepare: (contentDir) => writePseudoLanguage(contentDir, pseudo) });
  try {
    const findings: Finding[] = [];
    for (const { content } of shownLanguages(await readContent(site.contentDir), [])) {
      const { tag, prefix } = content.language;
      for (const page of pageNames) {
        const { whole, painted } = await measureHtml(site.url + pathOf(page, prefix));
        // The longest words of all have no bound but the one that a visitor notices.
        const bound = tag === pseudo ? {} : { atMost: htmlBudget };
        findings.push({ name: `${tag} ${page}: HTML with its CSS, bytes of brotli`, value: whole, ...bound });
        findings.push({
          name: `${tag} ${page}: what is painted, with the head, bytes`,
          value: painted,
          atMost: firstFlight,
        });
      }
    }
    return findings;
  } finally {
    await site.stop();
  }
}

/** `painted`: the head of the response, and the page up to the data that only the script reads. */
async function measureHtml(url: string): Promise<{ whole: number; painted: number }> {
  const { headBytes, body } = await ask(url, 'br');
  const html = (await ask(url, 'identity')).body.toString();
  const shown = html.slice(0, html.indexOf(`<script type="application/json" id="${pageDataId}"`));
  return { whole: body.length, painted: headBytes + brotliCompressSync(shown).length };
}

const ask = (url: string, encoding: string) =>
  new Promise<{ headBytes: number; body: Buffer }>((done, fail) => {
    get(url, { headers: { 'accept-encoding': encoding } }, async (response) => {
      // Each name and each value is followed by two characters; the line of the status has 17.
      const headBytes = response.rawHeaders.reduce((sum, text) => sum + text.length + 2, 19);
      done({ headBytes, body: await buffer(response) });
    }).on('error', fail);
  });
