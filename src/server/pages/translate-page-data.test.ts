import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import { translatedContent } from '../../../test/support/translated-content.ts';
import type { Photo } from '../../model/photo.ts';
import { asText, spans } from '../../model/phrase.ts';
import { findTranslation } from '../content/languages/shown-languages.ts';
import type { TranslatedContent } from '../content/languages/translated-content.ts';
import { applyClosure } from './apply-closure.ts';
import { linesFor } from './lines-for.ts';
import { describePhoto } from './translate-page-data.ts';

const translated = findTranslation(translatedContent, [], 'en-XA') as TranslatedContent;

const closed = [{ from: '2026-12-24', until: '2027-01-11' }];
const noticeIn = (tag: string) =>
  applyClosure(
    { ...shippedContent.site, closed, closedText: { ...shippedContent.site.closedText, soon: 'X {from}' } },
    new Date('2026-12-20T00:00:00Z'),
    tag,
  ).closed?.notice ?? '';

test.each([
  ['en-NZ', 'X Thursday 24 December'],
  ['en-NZ-x-easy', 'X Thursday 24 December'],
  ['mi', 'X Tāite, 24 Tīhema'],
  ['zh-Hans', 'X 12月24日星期四'],
  // Not the Persian calendar and digits: every other number on the page is Latin.
  ['fa-AF', 'X پنجشنبه 24 دسمبر'],
])('a closure says its days in the words of %s', (tag, notice) => {
  expect(noticeIn(tag)).toBe(notice);
});

test('a language that Intl does not know has the day in the words of the original, marked as such', () => {
  expect(spans(noticeIn('sm'))).toEqual([{ text: 'X ' }, { text: 'Thursday 24 December', lang: 'en-NZ' }]);
  expect(asText(noticeIn('sm'))).toBe('X Thursday 24 December');
});

test('helplines for speakers of the page’s language come first, and all others keep their order', () => {
  const line = (name: string, languages?: string[]) => ({ name, for: '', phone: '1', languages });
  const lines = [
    line('all'),
    line('Mandarin', ['zh-Hans']),
    line('Chinese', ['hi', 'zh']),
    line('more'),
    line('Cantonese', ['zh-Hant']),
  ];
  const namesIn = (tag: string) =>
    linesFor({ ...shippedContent.helplines, lines }, tag).lines.map(({ name }) => name);
  expect(namesIn('zh-Hans')).toEqual(['Mandarin', 'Chinese', 'all', 'more', 'Cantonese']);
  expect(namesIn('zh')).toEqual(['Chinese', 'all', 'Mandarin', 'more', 'Cantonese']);
  expect(namesIn('en-NZ')).toEqual(lines.map(({ name }) => name));
  // Zhuang is not Chinese.
  expect(namesIn('zha')).toEqual(lines.map(({ name }) => name));
});

test('a picture is described in the language of the page, or in the original’s with its language', () => {
  const [original = ''] = Object.keys(translated.pictureTexts);
  const photo = { alt: original } as Photo;
  expect(describePhoto(photo, translated)).toEqual({ alt: translated.pictureTexts[original] });
  expect(describePhoto({ ...photo, alt: 'Of Pexels' }, translated)).toEqual({
    alt: 'Of Pexels',
    lang: 'en-NZ',
  });
  // Decoration has no description, and so no language.
  expect(describePhoto({ ...photo, alt: '' }, translated)).toEqual({ alt: '' });
});
