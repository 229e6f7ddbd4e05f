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
  ['a number in black circles', 'site:form.send', 'Call ❾❶❶', 'has ❾'],
  ['a number in digits with commas', 'site:form.send', 'Call 🄈🄁🄁', 'has 7'],
  ['a number in Ethiopic signs', 'site:form.send', 'ደውል ፱፩፩', 'has ፱'],
  ['a number in Chinese signs', 'site:form.send', '请拨打九一一', 'has 九一一'],
  ['a number in Chinese signs with strokes', 'site:form.send', '请拨打九-一-一', 'has 九-一-一'],
  ['a number in Chinese signs for cheques', 'site:form.send', '请拨打玖壹壹', 'has 玖壹壹'],
  ['a number in Chinese signs and digits', 'site:form.send', '请拨打九一1', 'has 1'],
  ['a number in letters like digits', 'site:form.send', 'Call 9ll', 'has 9ll'],
  ['a digit before a number that is filled in', 'helplines:call', 'Call 7 {number}', 'has 7'],
  ['a web address', 'site:form.send', 'Go to help.test', 'has help.test'],
  ['a web address in Cyrillic', 'site:form.send', 'помощь.рф', 'has помощь.рф'],
  ['a web address with another end', 'site:form.send', 'help.онлайн', 'has help.онлайн'],
  ['a web address in Chinese', 'site:form.send', '求助。中国', 'has 求助。中国'],
  ['a web address without strokes', 'site:form.send', 'http:evil', 'has http:evil'],
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
  ['Free, day and night', '每天24小时，每周7天免费'],
  ['School days, 9 am to 3 pm', '上课日 9-3 点'],
  ['It may take three or four days', '可能要三四天'],
  ['Some of it is enough', '说一二句就够了'],
  ['Since 2026', '自二〇二六年起'],
  ['Tell us first', '第一，我们一定会一一回答'],
  ['Press Shift three times', 'Press Shift 3 times'],
  ['within two working days', '2 日以内'],
])('an honest translation of a number is taken: %s, %s', (original, words) => {
  expect(findNumberMistake(original, words, { isCalled: false })).toBeNull();
});

test.each([
  ['palochka', '9\u04cf\u04cf'],
  ['capital palochka', '9\u04c0\u04c0'],
  ['a palochka between digits', '9\u04cf1'],
  ['Cyrillic I', '9\u0406\u0406'],
  ['Greek iota', '9\u0399\u0399'],
  ['clicks', '9\u01c0\u01c0'],
  ['Hebrew paseq', '9\u05c0\u05c0'],
  ['Chinese strokes', '9\u4e28\u4e28'],
  ['Chinese strokes before a digit', '\u4e28\u4e289'],
  ['Arabic alef', '\u0669\u0627\u0627'],
  ['an alef between digits', '\u0669\u0627\u0661'],
])('strokes of other scripts beside a digit are refused: %s', (_what, words) => {
  expect(findNumberMistake('Call us', `(${words})`, { isCalled: false })).toEqual(
    expect.stringContaining('could be read as a number'),
  );
});

test.each([
  ['within nine days', 'خلال ٩ايام'],
  ['within nine days or more', 'من ٩الى١٠ ايام'],
  ['for nine months', '9ヵ月'],
  ['three or four', '3ー4回'],
  ['nine members', '9メンバー'],
  ['nine people', '9个人丨请告诉我们'],
  ['nine litres', '9 л'],
])('ordinary words beside a digit are no strokes: %s, %s', (original, words) => {
  expect(findNumberMistake(original, words, { isCalled: false }) ?? '').not.toContain('be read as');
});

test.each([
  ['In danger? Call 111', '111 24/7'],
  ['In danger? Call 111', '拨打111（24/7）'],
  ['In danger? Call 111', '拨打111，24小时'],
  ['In danger? Call 111', '请拨打111一定有人接听'],
  ['In danger? Call 111', '拨打111丨24小时'],
  ['In danger? Call 111', '緊急のときは111ーー24時間'],
  ['Call {number}', '{number} (24/7)'],
  ['Monday to Friday, 9 am to 4.30 pm', 'Mo–Fr, 9:00–16:30 Uhr'],
])('an honest translation of words with a number to call is taken: %s, %s', (original, words) => {
  expect(findNumberMistake(original, words, { isCalled: true })).toBeNull();
});

test.each([
  ['In danger? Call 111', 'Call 24-111'],
  ['In danger? Call 111', 'Call 7 111'],
  ['In danger? Call 111', 'Call 24,111'],
  ['In danger? Call 111', 'Call 24–111'],
  ['In danger? Call 111', 'Call 24/7-111'],
  ['In danger? Call 111', 'Call 7 24 111'],
  ['In danger? Call 111', 'Call 111-24'],
  ['In danger? Call 111', 'Call +111'],
  ['Call 1737', '24 1737'],
  ['Call 1737, 24 hours', '24 – 1737'],
  ['Call 111 or 1737', 'Call 111-1737'],
  ['Call {number}', 'Call 24{number}'],
  ['Call 0800 733 843', 'Call 0800 843 733'],
  ['Call 0800 733 843', 'Call 733 843'],
  ['Call 0800 733 843', 'Call +64 800 733 843'],
  ['Press 55', 'Press 5'],
  ['In danger? Call 111', 'In danger?'],
])('a number that is not the same one is refused: %s, %s', (original, words) => {
  expect(findNumberMistake(original, words, { isCalled: true })).not.toBeNull();
});

test('a choice with the words of another choice, in letters that look like its own too, is refused', async () => {
  const alike = ['Сounselling', 'CΟUΝSELLΙNG', 'CounseIling', 'Counse1ling', 'Cօunselling'];
  for (const words of ['Counselling', 'COUNSELLING ', 'Ｃounselling', ...alike])
    expect(
      (await readWith('help:SupportNeeded.choices#5', words)).problems.map((one) => one.message),
    ).toEqual([expect.stringContaining('has the words of another choice')]);
});
