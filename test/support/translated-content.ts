import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Content, readContent } from '../../src/server/content/content.ts';
import { accent, composePo, writePseudoLanguage } from './pseudo-language.ts';

/** A copy of the shipped content in two pseudo-languages that are offered, and in te reo Māori, which nobody has checked. */
async function readTranslated(): Promise<Content> {
  const temporary = mkdtempSync(join(tmpdir(), 'awhina-'));
  const folder = join(temporary, 'content');
  cpSync('content', folder, { recursive: true });
  rmSync(join(folder, 'languages'), { recursive: true, force: true });
  await writePseudoLanguage(folder, 'ar-XB');
  await writePseudoLanguage(folder, 'en-XA');
  const { sentences } = await readContent(folder);
  const head = { 'X-Name': 'Te reo Māori' };
  writeFileSync(join(folder, 'languages', 'mi.po'), composePo('mi', sentences, accent, { head }));
  const content = await readContent(folder);
  rmSync(temporary, { recursive: true });
  return { ...content, folder: 'content' };
}

export const translatedContent = await readTranslated();
