import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyContent } from '../../../../test/support/content-mistakes.ts';
import { writePseudoLanguage } from '../../../../test/support/pseudo-language.ts';
import { readContent } from '../content.ts';

/** A confirmed language, and then a change of the trust's own words. */
async function readAfter(change: (folder: string) => void) {
  const folder = await copyContent();
  await writePseudoLanguage(folder, 'ar-XB');
  change(folder);
  const [language] = (await readContent(folder)).languages;
  return language ?? expect.unreachable('there is a language');
}

function replaceIn(folder: string, file: string, was: string, became: string) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(was);
  writeFileSync(path, text.replace(was, became));
}

test('a new page in the menu does not take a language off the site: its name is in the original', async () => {
  const { notOffered, content } = await readAfter((folder) => {
    mkdirSync(join(folder, 'pages'));
    writeFileSync(join(folder, 'pages/about-us.md'), '---\ntitle: About us\nmenu: true\n---\nWords\n');
  });
  expect(notOffered).toEqual([]);
  expect(content?.ownPages.find(({ name }) => name === 'about-us')?.menuLabel).toBe('{en-NZ:About us}');
});

test('a renamed choice does not take a language off the site: its label is in the original', async () => {
  const { notOffered, content } = await readAfter((folder) =>
    replaceIn(folder, 'forms/help.yaml', '- Counselling', '- Talking it over'),
  );
  expect(notOffered).toEqual([]);
  const field = content?.forms.help.definition.find(({ key }) => key === 'SupportNeeded');
  expect(field?.type === 'checkbox' && field.choiceLabels).toContain('{en-NZ:Talking it over}');
});

test.each([
  ['a safe way', 'forms/help.yaml', 'label: Text message', 'label: A text'],
  ['how calling is safe', 'forms/help.yaml', 'label: Do not leave a message', 'label: No voicemail'],
  ['a helpline', 'helplines.yaml', 'For women and children', 'For women and their children'],
])('other words about %s withdraw it', async (_what, file, was, became) => {
  const { notOffered, isWithdrawn } = await readAfter((folder) => replaceIn(folder, file, was, became));
  expect(notOffered).toEqual([expect.stringMatching(/^1 of \d+ sentences about danger, /)]);
  expect(isWithdrawn).toBe(true);
});
