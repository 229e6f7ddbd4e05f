import { expect, onTestFinished, test } from 'vitest';
import { describeProblem, readContent } from './content.ts';
import { findContentNotes } from './content-notes.ts';
import { defaults } from './defaults.ts';
import { findOlderHelplines } from './older-content-notes.ts';

test('a trust whose form is older learns what it may want to take over, and a form of today has no such note', async () => {
  const offers = async (folder: string) =>
    (await findContentNotes(await readContent(folder)))
      .map((note) => describeProblem(note, '  '))
      .filter((note) => note.includes('To take it over'))
      .map((note) => note.replace(/^forms\/help\.yaml +/, '').slice(0, 40));
  const older = (name: string) => offers(`test/older-content/${name}`);
  const order = 'the choice that means urgent does not co';
  const fold = 'nothing is folded: shown: more puts a qu';
  const asked = 'number and email are always asked for: s';
  expect(await older('before-the-fold')).toEqual([
    order,
    fold,
    asked,
    'CallTimes asks two things in one questio',
    'helplines.yaml  lines: people who cannot',
  ]);
  // None of its choices has a meaning.
  expect(await older('first')).toEqual([fold]);
  expect(await offers('content')).toEqual([]);
});

test('a helpline that can be written to since is noted in a list of the trust’s own', async () => {
  const { lines } = defaults['helplines.yaml'] as { lines: { phone?: string; chat?: string }[] };
  const ours = lines.find(({ phone }) => phone) ?? {};
  const before = { ...ours };
  onTestFinished(() => {
    delete ours.chat;
    Object.assign(ours, before);
  });
  ours.chat = 'https://chat.example';
  const content = await readContent('test/older-content/before-the-fold');
  const own = [{ name: 'Sample line', for: 'Everyone', phone: ours.phone }];
  const [note] = findOlderHelplines({ ...content, helplines: { ...content.helplines, lines: own } });
  expect(note?.message).toContain('people who cannot speak can write to Sample line: copy its chat');
});
