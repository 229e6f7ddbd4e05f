import { expect, test } from 'vitest';
import { stayingSafePath } from '../src/model/own-page.ts';
import { readContent } from '../src/server/content/content.ts';
import { gradeOf, sentencesOf, wordsOf } from './support/reading-ease.ts';

const { ownPages, site, ...content } = await readContent('content');
const page = ownPages.find(({ name }) => `/${name}` === stayingSafePath);
const text = JSON.stringify(page?.article);

test('the page Staying safe online is in the bar, in the drawer and in the footer', () => {
  expect(page).toMatchObject({ menuLabel: 'Online safety', footerLabel: 'Online safety' });
});

test('a twelve-year-old can read each sentence of it, an eleven-year-old most', () => {
  const sentences = (text.match(/(?<="text":")[^"]+/g) ?? []).flatMap(sentencesOf);
  const long = sentences.filter((sentence) => wordsOf(sentence).length >= 5);
  expect(long.length).toBeGreaterThan(20);
  expect(long.filter((sentence) => gradeOf(sentence) > 6.5)).toEqual([]);
  expect(gradeOf(...long)).toBeLessThan(5);
});

test('nobody is told to empty a history, and watched devices are named wherever it is', () => {
  const advice = [text, site.leave.about.text];
  for (const words of advice) {
    expect(words).toMatch(/history/);
    expect(words).toMatch(/checks your phone/);
    expect(words).toMatch(/noticed/);
  }
  expect(JSON.stringify([site, content])).not.toMatch(/delete (it|them|your history)/i);
});
