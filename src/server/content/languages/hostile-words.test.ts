import { expect, test } from 'vitest';
import { copyContent } from '../../../../test/support/content-mistakes.ts';
import { writePseudoLanguage } from '../../../../test/support/pseudo-language.ts';
import { readContent } from '../content.ts';
import { findMistake } from './translation-mistakes.ts';
import { findNumberMistake } from './translation-numbers.ts';

/** A translation file is somebody else's text: what it may not bring to a visitor. */

async function readWith(context: string, words: string) {
  const folder = await copyContent();
  await writePseudoLanguage(folder, 'ar-XB', {
    change: (sentence, translation) => ({ translation: sentence.context === context ? words : translation }),
  });
  const [language] = (await readContent(folder)).languages;
  return language ?? expect.unreachable('there is a language');
}

test.each([
  ['another country’s emergency number', 'site:form.answerNote', 'Call 911', 'has 911'],
  ['a number that costs', 'helplines:call', '{number}, 0900 66 666', 'has 0900 66 666'],
  ['a number in other digits', 'site:leave.about.text', 'اتصل ٩١١', 'has 911'],
  ['a number in circles', 'site:form.send', 'Call ⑨①①', 'has 911'],
  ['a number with signs between its digits', 'site:form.send', 'Call 9-1-1', 'has 9-1-1'],
  ['a number with words between its digits', 'site:form.send', '9 and 1 and 1', 'has 9'],
  ['a number with unseen signs in it', 'site:form.send', '9\u200b1\u200b1', 'cannot be seen'],
  ['a web address', 'site:form.send', 'Go to help.test', 'has help.test'],
  ['a web address in wide letters', 'site:form.send', 'ｅｖｉｌ．ｔｅｓｔ', 'has evil.test'],
  ['an address without a name', 'site:form.send', 'http://evil/', 'has http://'],
  ['an e-mail address', 'site:alternativeContact.sent', '{email} me@evil', 'has me@evil'],
  ['a zero-width space', 'site:form.send', 'S\u200bend', 'cannot be seen'],
  ['an isolate', 'site:form.send', '\u2067Send', 'cannot be seen'],
  ['tag characters', 'site:form.send', 'Send\u{e0041}', 'cannot be seen'],
  ['a joiner that its script does not need', 'site:form.send', 'Se\u200dnd', 'cannot be seen'],
])('%s is refused: the sentence is not shown', async (_what, context, words, message) => {
  const { problems, content } = await readWith(context, words);
  expect(problems.map((one) => one.message)).toEqual([expect.stringContaining(message)]);
  expect(JSON.stringify(content)).not.toContain(words);
});

test.each([
  ['Persian', 'می\u200cخواهم'],
  ['Sinhala', 'ශ්\u200dරී'],
  ['Hindi', 'क्\u200dष'],
  ['Khmer, which has no spaces', 'សូម\u200bជួយ'],
])('signs that %s needs between its letters are kept', (_language, words) => {
  expect(findMistake('Send', words)).toBeNull();
});

test.each([
  ['Monday to Friday, 9 am to 4.30 pm', 'Mo–Fr, 9:00–16:30 Uhr'],
  ['Monday to Friday, 9 am to 4 pm', 'lundi à vendredi, de 9 h à 16 h'],
  ['Call 111 or 0800 733 843', '٠٨٠٠ ٧٣٣ ٨٤٣ أو ١١١'],
  ['Call 0800 733 843', '0800 73 38 43'],
  ['Free, day and night', '24/7'],
  ['Press Shift three times', 'Press Shift 3 times'],
  ['within two working days', '2 日以内'],
])('an honest translation of a number is taken: %s, %s', (original, words) => {
  expect(findNumberMistake(original, words, { isCalled: false })).toBeNull();
});

test.each([
  ['Call 0800 733 843', 'Call 0800 843 733'],
  ['Call 0800 733 843', 'Call 733 843'],
  ['Call 0800 733 843', 'Call +64 800 733 843'],
  ['Press 55', 'Press 5'],
  ['In danger? Call 111', 'In danger?'],
])('a number that is not the same one is refused: %s, %s', (original, words) => {
  expect(findNumberMistake(original, words, { isCalled: true })).not.toBeNull();
});

test('a choice with the words of another choice, seen or unseen, is refused', async () => {
  for (const words of ['Counselling', 'COUNSELLING ', 'Ｃounselling'])
    expect(
      (await readWith('help:SupportNeeded.choices#5', words)).problems.map((one) => one.message),
    ).toEqual([expect.stringContaining('has the words of another choice')]);
});
