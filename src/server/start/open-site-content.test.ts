import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { copyContent } from '../../../test/support/content-mistakes.ts';
import { collectLog } from '../../../test/support/log.ts';
import { writePseudoLanguage } from '../../../test/support/pseudo-language.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { readSettings } from '../settings/settings.ts';
import { openSiteContent } from './open-site-content.ts';

test('the log says first which languages visitors no longer see, and then why, also while the site runs', async () => {
  const contentDir = await copyContent();
  await writePseudoLanguage(contentDir, 'en-XA');
  const { log, lines } = collectLog();
  const settings = { ...readSettings({}), contentDir, dataDir: temporaryFolder() };
  const { content } = await openSiteContent(settings, log);
  onTestFinished(() => content.close());
  expect(lines.join('')).not.toContain('VISITORS');

  const path = join(contentDir, 'helplines.yaml');
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('For women and children', 'For women and their children'),
  );
  await vi.waitFor(() => expect(lines.join('')).toContain('language not offered'), { timeout: 20_000 });
  const said = lines.map((line) => JSON.parse(line)).filter(({ event }) => event !== 'content changed');
  expect(said.slice(0, 2)).toMatchObject([
    { level: 'error', event: 'languages withdrawn', problem: 'VISITORS NO LONGER SEE: Åççéñţš' },
    { level: 'warn', problem: expect.stringMatching(/^1 of \d+ .*: awhina languages update en-XA$/) },
  ]);

  const again = collectLog();
  const restarted = await openSiteContent(settings, again.log);
  onTestFinished(() => restarted.content.close());
  expect(again.lines[0]).toContain('VISITORS NO LONGER SEE: Åççéñţš');
});
