import { type GetTextComment, type GetTextTranslation, po } from 'gettext-parser';
import type { Sentence } from './sentences.ts';

interface PoParts {
  head: Readonly<Record<string, string>>;
  /** The comments above the head. */
  headComments?: GetTextComment | undefined;
  entries: readonly GetTextTranslation[];
  /** Entries whose sentence is gone, with their translations. */
  obsolete?: readonly GetTextTranslation[];
}

/** The text of a PO file, folded as gettext and Poedit fold it, so that saving it there changes no other line. */
export function writePo({ head, headComments, entries, obsolete = [] }: PoParts): string {
  const headEntry = { msgid: '', msgstr: [], ...(headComments && { comments: headComments }) };
  const text = po
    .compile({
      charset: 'utf-8',
      headers: { ...head, 'Content-Type': 'text/plain; charset=utf-8' },
      translations: { '': { '': headEntry }, ...inOrder(entries) },
      obsolete: inOrder(obsolete),
    })
    .toString();
  return (
    text
      // As gettext and Poedit write it.
      .replace(/^"Content-Type: text\/plain; charset=utf-8/m, '"Content-Type: text/plain; charset=UTF-8')
      .replace(/^(#.?) +$/gm, '$1')
  );
}

/** The compiler writes what the entries say, in the order of keys that do not look like numbers. */
const inOrder = (entries: readonly GetTextTranslation[]) => ({
  entries: Object.fromEntries(entries.map((entry, index) => [`entry ${index}`, entry])),
});

/** An entry for the sentence, without a translation. */
export const emptyEntry = ({ context, text, note }: Sentence): GetTextTranslation => ({
  msgctxt: context,
  msgid: text,
  msgstr: [''],
  comments: { extracted: note },
});

interface NewFile {
  tag: string;
  /** The language's own name. Empty where it is not known. */
  name: string;
  /** The tag of the original. */
  original: string;
  organisation: string;
}

/** A file for a new language, in which nothing is translated. */
export function writeNewPo(
  { tag, name, original, organisation }: NewFile,
  sentences: readonly Sentence[],
): string {
  const comments = {
    translator: `The website of ${organisation}, in another language. Translate each msgid into the msgstr below it.
Words in braces, such as {email}, are filled in: keep them as they are, and put them where your language wants them.
X-Name is the language's own name. Visitors see the language once a second reader has read every page in it.`,
  };
  return writePo({
    head: {
      'Project-Id-Version': organisation,
      Language: tag,
      'X-Source-Language': original,
      'MIME-Version': '1.0',
      'Content-Type': '',
      'Content-Transfer-Encoding': '8bit',
      'Last-Translator': '',
      'X-Name': name,
    },
    headComments: comments,
    entries: sentences.map(emptyEntry),
  });
}
