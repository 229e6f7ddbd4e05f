import { findSentence, placeholders } from '../catalogue.ts';

const meanings: Readonly<Record<string, string>> = {
  ...placeholders.everywhere,
  ...placeholders.privacy,
  ...placeholders.somewhere,
};

/** For translators: where a sentence is seen, whether it must stay short, and what its placeholders stand for. */
export function noteFor(context: string, text: string): string {
  const { note, short } = findSentence(context) ?? {};
  const button = short ? 'It is on a button or a link and must stay short.' : undefined;
  const filled = [...new Set(text.match(/\{[a-zA-Z]+\}/g))].map((one) => {
    const meaning = meanings[one.slice(1, -1)];
    return meaning ? `${one} is ${meaning}: keep it.` : `Keep ${one}.`;
  });
  const marks = /\{[a-z]{2,3}(-\w+)*:/.test(text)
    ? ['{mi:…} marks words in Māori, so that they are said properly.']
    : [];
  return [note, button, ...filled, ...marks].filter(Boolean).join(' ');
}
