import { readdirSync, readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { StaffMessage, StaffView } from '../src/model/staff-page.ts';
import { describeRequest } from '../src/server/staff/staff-page.ts';
import { StaffPage } from '../src/web/staff/StaffPage.tsx';
import { shippedContent } from './support/forms.ts';
import { findHardTexts } from './support/reading-ease.ts';
import { stored } from './support/submission-mail.ts';

/** What a tired volunteer reads and acts on: easy for somebody who left school at fourteen. */
const bounds = { hardestText: 8, mostWords: 30 };
const mails = new URL('./mails/', import.meta.url);

/**
 * Each line of a mail is a text of its own, and so is each side of a fact; not links, charts and what visitors wrote.
 * The tags of a subject are no words of its sentence.
 */
const textsIn = (mail: string) =>
  mail
    .split('\n')
    .map((line) => line.replace(/^Subject: (Re: )?(URGENT )?\[[^\]]+\] /, ''))
    .filter((line) => !/^( {4}|https:|={9}|.*[█░])/.test(line))
    .flatMap((line) => (line.endsWith('.') ? line : line.split(/: +/)));

test.each(readdirSync(mails).filter((name) => name.endsWith('.txt')))('%s is easy to read', (file) => {
  const lines = textsIn(readFileSync(new URL(file, mails), 'utf8'));
  expect(lines.length).toBeGreaterThan(3);
  expect(
    findHardTexts(
      lines.map((text) => ({ name: file, text })),
      bounds,
    ),
  ).toEqual([]);
});

const at = { at: 'Monday, 16 November 2026 at 10:05 am', since: 1 };
const describe = (...about: Parameters<typeof stored>) =>
  describeRequest(stored(...about), shippedContent.site);
const request = describe('help', { SafeContact: ['Phone call', 'Text message'] });
const refusal = "Please don't contact me, I will contact you";
const messages: StaffMessage[] = ['taken', 'answered', 'undone', 'late', 'changed', 'name', 'refused'];
const views: StaffView[] = [
  { kind: 'nothing' },
  { kind: 'unavailable', reference: request.reference, isPress: true },
  ...[null, ...messages].flatMap((message) =>
    [{}, { taken: at }, { taken: at, answered: at }].map((steps) => ({ ...request, ...steps, message })),
  ),
  describe('help', { SafeContact: [refusal] }),
  describe('help', {
    SafeContact: ['Phone call'],
    CallTimes: ['Mornings'],
    IfSomeoneAnswers: ['Do not leave a message'],
  }),
  describe('help', {}, { answers: { sealed: 'x' } }),
  describe('help', {}, { damaged: '{"sample":' }),
  describe('contact'),
  ...([null, 'read', 'refused', 'unavailable'] as const).flatMap((message) =>
    [true, false].map((isTest): StaffView => ({ kind: 'letter', isTest, message })),
  ),
];

test('every sentence on the pages for staff is easy to read', () => {
  const { site } = shippedContent;
  const texts = views.flatMap((view) =>
    renderToStaticMarkup(createElement(StaffPage, { site, view }))
      .split(/<\/?(?:p|h1|dt|dd|li|label|button|div|form|dl|header|main)\b[^>]*>/)
      .map((block) => ({ name: view.kind, text: block.replace(/<[^>]+>/g, '') })),
  );
  expect(texts.length).toBeGreaterThan(100);
  expect([...new Set(findHardTexts(texts, bounds))]).toEqual([]);
});
