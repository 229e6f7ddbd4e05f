import fc from 'fast-check';
import { po } from 'gettext-parser';
import { expect, test } from 'vitest';
import { updatePo } from './update-po.ts';
import { writeNewPo } from './write-po.ts';

const language = { tag: 'mi', name: 'Te reo Māori', original: 'en-NZ', organisation: 'Sample Trust' };

/** Few words and contexts, so that sentences change, move, go and return. */
const words = fc.constantFrom(
  '',
  '111',
  'Send',
  'Send it',
  'Send it now',
  'Call us',
  '__proto__',
  'a "b"\\\n\tc',
  'Kōwhai 黄花',
);
const sentences = fc
  .uniqueArray(
    fc.record({
      context: fc.constantFrom(
        'site:a',
        'help:b.displayName',
        ...[1, 2, 3, 4].map((place) => `page:c#${place}`),
        '7',
      ),
      text: words.filter((text) => text !== ''),
      note: fc.constantFrom('', 'One.', 'Two.\nLines.'),
      isNeeded: fc.boolean(),
    }),
    { selector: ({ context, text }) => `${context.replace(/#\d+$/, '')} ${text}` },
  )
  .map((found) => [...new Map(found.map((one) => [one.context, one])).values()]);

/** The confirmed translations, by context without place and by words. */
function confirmed(source: string): Map<string, string> {
  const { translations } = po.parse(source);
  return new Map(
    Object.values(translations)
      .flatMap((entries) => Object.values(entries))
      .filter(({ msgid, msgstr, comments }) => msgid && msgstr[0] && !comments?.flag?.includes('fuzzy'))
      .map(({ msgctxt = '', msgid, msgstr }) => [
        `${msgctxt.replace(/#\d+$/, '')} ${msgid}`,
        msgstr[0] ?? '',
      ]),
  );
}

test('updating twice changes nothing; no translation is lost, and none is given to words it was not made for', () => {
  fc.assert(
    fc.property(
      sentences,
      fc.array(sentences, { maxLength: 3 }),
      fc.infiniteStream(words),
      (first, later, translations) => {
        const draft = po.parse(writeNewPo(language, first));
        const inEachPlace = new Map<string, string>();
        for (const entries of Object.values(draft.translations))
          for (const entry of Object.values(entries)) {
            if (!entry.msgctxt) continue;
            const key = `${entry.msgctxt.replace(/#\d+$/, '')} ${entry.msgid}`;
            const translation = inEachPlace.get(key) ?? (translations.next().value as string);
            inEachPlace.set(key, translation);
            entry.msgstr = [translation];
          }
        const start = po.compile(draft).toString();
        const known = confirmed(start);
        let file = start;
        for (const wanted of [...later, first]) {
          const { text } = updatePo(file, wanted);
          expect(updatePo(text, wanted)).toEqual({
            text,
            added: 0,
            fuzzy: 0,
            returned: 0,
            shipped: 0,
            setAside: 0,
          });
          const parsed = Object.values(po.parse(text).translations)
            .flatMap((entries) => Object.values(entries))
            .filter(({ msgctxt }) => msgctxt);
          expect(new Set(parsed.map(({ msgctxt, msgid }) => `${msgctxt} ${msgid}`))).toEqual(
            new Set(wanted.map(({ context, text }) => `${context} ${text}`)),
          );
          for (const [key, translation] of confirmed(text)) expect(known.get(key)).toBe(translation);
          file = text;
        }
        expect(confirmed(file)).toEqual(known);
      },
    ),
    { numRuns: 100 },
  );
});
