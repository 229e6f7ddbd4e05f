import { expect, test } from 'vitest';
import type { Sentence } from './sentences.ts';
import { adoptPo, updatePo } from './update-po.ts';
import { writeNewPo } from './write-po.ts';

const sentence = (context: string, text: string, note = 'On every page.'): Sentence => ({
  context,
  text,
  note,
  isNeeded: true,
});

const language = { tag: 'mi', name: 'Te reo Māori', original: 'en-NZ', organisation: 'Sample Trust' };

const translate = (source: string, original: string, words: string) => {
  const from = `msgid "${original}"\nmsgstr ""`;
  expect(source).toContain(from);
  return source.replace(from, `msgid "${original}"\nmsgstr "${words}"`);
};

const menu = sentence('site:shell.menu', 'Menu', 'At the top of every page.\nKeep it short: it is a button.');
const send = sentence('site:form.send', 'Send Request');
const list = [
  sentence('page:about-us#1', 'We are free.'),
  sentence('page:about-us#2', 'Come and talk to us.'),
];

test('a new file has a head to fill in, and every sentence in order with its note', () => {
  const text = writeNewPo(language, [menu, send]);
  expect(text).toMatch(/^# The website of Sample Trust, in another language\./);
  expect(text.replace(/^#(?! *\.).*\n/gm, '')).toBe(`msgid ""
msgstr ""
"Project-Id-Version: Sample Trust\\n"
"Language: mi\\n"
"X-Source-Language: en-NZ\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Last-Translator: \\n"
"X-Name: Te reo Māori\\n"

#. At the top of every page.
#. Keep it short: it is a button.
msgctxt "site:shell.menu"
msgid "Menu"
msgstr ""

#. On every page.
msgctxt "site:form.send"
msgid "Send Request"
msgstr ""
`);
  expect(updatePo(text, [menu, send])).toEqual({
    text,
    added: 0,
    fuzzy: 0,
    returned: 0,
    shipped: 0,
    setAside: 0,
  });
});

test('what is translated stays, what is new comes in empty, in the order of the pages', () => {
  const file = translate(writeNewPo(language, [menu]), 'Menu', 'Rārangi');
  const updated = updatePo(file, [send, menu]);
  expect(updated).toMatchObject({ added: 1, fuzzy: 0, returned: 0, shipped: 0, setAside: 0 });
  expect(updated.text).toMatch(
    /msgid "Send Request"\nmsgstr ""\n\n(#.*\n)+msgctxt .*\nmsgid "Menu"\nmsgstr "Rārangi"\n$/,
  );
});

test('a sentence that changed has its old translation as fuzzy, with the words it was made for', () => {
  const file = translate(writeNewPo(language, [send]), 'Send Request', 'Tukuna');
  const changed = { ...send, text: 'Send "it"\nnow' };
  const updated = updatePo(file, [changed]);
  expect(updated).toMatchObject({ added: 0, fuzzy: 1, setAside: 1 });
  expect(updated.text).toContain(`#. On every page.
#, fuzzy
#| msgid "Send Request"
msgctxt "site:form.send"
msgid ""
"Send \\"it\\"\\n"
"now"
msgstr "Tukuna"
`);
  const again = updatePo(updated.text, [{ ...send, text: 'Send me' }]);
  expect(again).toMatchObject({ fuzzy: 1, setAside: 0 });
  expect(again.text).toContain(
    '#, fuzzy\n#| msgid "Send Request"\nmsgctxt "site:form.send"\nmsgid "Send me"\n',
  );
  // The translator confirms it.
  const confirmed = again.text.replace('#, fuzzy\n#| msgid "Send Request"\n', '');
  expect(updatePo(confirmed, [{ ...send, text: 'Send me' }]).text).toBe(confirmed);
});

test('words that return have their translation again, and nobody has to confirm it', () => {
  const file = translate(writeNewPo(language, [menu, send]), 'Send Request', 'Tukuna');
  const without = updatePo(file, [menu]);
  expect(without).toMatchObject({ setAside: 1 });
  expect(without.text).toContain(
    '#~ msgctxt "site:form.send"\n#~ msgid "Send Request"\n#~ msgstr "Tukuna"\n',
  );
  expect(updatePo(without.text, [menu])).toMatchObject({ text: without.text, setAside: 0 });
  expect(updatePo(without.text, [menu, send])).toMatchObject({ text: file, returned: 1 });
  const changed = updatePo(file, [menu, { ...send, text: 'Send it' }]);
  expect(updatePo(changed.text, [menu, send]).text).toContain('\nmsgid "Send Request"\nmsgstr "Tukuna"\n');
});

test('a sentence that moves within a list keeps its translation, and one that changed is found by its words', () => {
  const [free, talk] = list as [Sentence, Sentence];
  const file = translate(
    translate(writeNewPo(language, list), 'We are free.', 'Utu kore.'),
    'Come and talk to us.',
    'Haere mai.',
  );
  const moved = [
    { ...talk, context: 'page:about-us#1', text: 'Come in and talk to us.' },
    sentence('page:about-us#2', 'A wholly new block.'),
    { ...free, context: 'page:about-us#3' },
  ];
  const { text, ...counts } = updatePo(file, moved);
  expect(counts).toEqual({ added: 1, fuzzy: 1, returned: 0, shipped: 0, setAside: 1 });
  expect(text).toContain('#| msgid "Come and talk to us."\nmsgctxt "page:about-us#1"\n');
  expect(text).toContain('msgctxt "page:about-us#2"\nmsgid "A wholly new block."\nmsgstr ""\n');
  expect(text).toContain('msgctxt "page:about-us#3"\nmsgid "We are free."\nmsgstr "Utu kore."\n');
});

test('the head and what translators wrote beside it are kept', () => {
  const file = `# Ours.
#
# Ask Mere.
msgid ""
msgstr ""
"Language: mi\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"X-Checked-By: Hana Rewi\\n"
"X-Generator: Poedit 3.5\\n"
"X-Unknown: a: b\\n"

# Not "tono": too formal.
#. On every page.
#, no-wrap
msgctxt "site:form.send"
msgid "Send Request"
msgstr "Tukuna"

# Unsure.
#. On every page.
#, fuzzy
msgctxt "site:shell.menu"
msgid "Menu"
msgstr "Rārangi"
`;
  const plain = { ...menu, note: 'On every page.' };
  expect(updatePo(file, [send, plain])).toMatchObject({ text: file, added: 0, fuzzy: 0 });
  expect(updatePo(file.replaceAll('\n', '\r\n'), [send, plain]).text).toBe(file);
  const gone = updatePo(file, [plain]).text;
  expect(gone).toContain('# Not "tono": too formal.\n#, no-wrap\n#~ msgctxt "site:form.send"\n');
  expect(updatePo(gone, [send, plain]).text).toBe(file);
});

test('default words that a new version has changed get the translation of the product’s own file, and no other words do', () => {
  const file = translate(
    translate(writeNewPo(language, [menu, send]), 'Menu', 'Ours'),
    'Send Request',
    'Tukuna',
  );
  const newer = [menu, { ...send, text: 'Send it' }];
  const shipped = translate(
    translate(writeNewPo(language, newer), 'Menu', 'Theirs'),
    'Send it',
    'Tukuna mai',
  );
  const updated = updatePo(file, newer, shipped);
  expect(updated).toMatchObject({ added: 0, fuzzy: 0, shipped: 1, setAside: 1 });
  expect(updated.text).toContain('msgid "Send it"\nmsgstr "Tukuna mai"\n');
  expect(updated.text).toContain('msgid "Menu"\nmsgstr "Ours"\n');
  expect(updatePo(updated.text, newer, shipped)).toMatchObject({ text: updated.text, shipped: 0 });
  const uncertain = shipped.replace('msgctxt "site:form.send"', '#, fuzzy\nmsgctxt "site:form.send"');
  expect(updatePo(file, newer, uncertain)).toMatchObject({ shipped: 0, fuzzy: 1 });
});

test('another trust gets what fits its words, what may fit once set aside, and nothing of the example trust', () => {
  const organisation = sentence('site:organisation', '{mi:Kōwhai} Family Support Centre');
  const all = [organisation, menu, send, ...list];
  const first = all.reduce((file, { text }) => translate(file, text, `${text}!`), writeNewPo(language, all));
  const aside = updatePo(first, [organisation, menu, ...list]).text;
  const file = adoptPo(aside, [{ ...organisation, text: 'Another Trust' }, menu, send], 'Another Trust');
  expect(file).toContain('"Project-Id-Version: Another Trust\\n"');
  expect(file).toContain('msgid "Another Trust"\nmsgstr ""\n');
  expect(file).toContain('msgid "Menu"\nmsgstr "Menu!"\n');
  expect(file).toContain('msgid "Send Request"\nmsgstr "Send Request!"\n');
  expect(file).toContain('#~ msgid "We are free."\n#~ msgstr "We are free.!"\n');
  expect(file).not.toMatch(/fuzzy|Kōwhai/);
});
