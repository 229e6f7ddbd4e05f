import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { copyContent } from '../../../../test/support/content-mistakes.ts';
import { writePseudoLanguage } from '../../../../test/support/pseudo-language.ts';
import { openContent } from '../content-source.ts';
import { noteFor } from './translator-note.ts';

test('a running site takes up a new translation, drops a broken one, and never loses the original', async () => {
  const folder = await copyContent();
  rmSync(join(folder, 'languages'), { recursive: true, force: true });
  const broken = vi.fn();
  const content = await openContent(folder, { changed() {}, broken });
  onTestFinished(() => content.close());
  const offered = () =>
    content.current().languages.flatMap(({ tag, notOffered }) => (notOffered.length ? [] : tag));
  expect(offered()).toEqual([]);

  await writePseudoLanguage(folder, 'ar-XB');
  await writePseudoLanguage(folder, 'en-XA');
  await vi.waitFor(() => expect(offered()).toEqual(['ar-XB', 'en-XA']), { timeout: 20_000 });

  writeFileSync(join(folder, 'languages/ar-XB.po'), 'msgid "never ends');
  await vi.waitFor(() => expect(offered()).toEqual(['en-XA']), { timeout: 20_000 });
  expect(content.current().languages[0]?.notOffered).toEqual([
    expect.stringContaining('cannot be read as a PO file'),
  ]);
  expect(content.fault()).toBeNull();
  expect(broken).not.toHaveBeenCalled();
});

test('every sentence has a note for its translator that says where it is seen', async () => {
  const content = await openContent('content', { changed() {}, broken() {} });
  onTestFinished(() => content.close());
  const { sentences } = content.current();
  expect(sentences.filter(({ note }) => note === '')).toEqual([]);
  const send = sentences.find(({ context }) => context === 'site:form.send');
  expect(send?.note).toContain('must stay short');
  expect(noteFor('site:privacy.kept', 'For {retentionDays} days')).toContain(
    '{retentionDays} is a number of days',
  );
  // A placeholder without a meaning would leave a translator guessing.
  expect(sentences.filter(({ note }) => /Keep \{/.test(note))).toEqual([]);
});
