import { expect, test } from 'vitest';
import type { BotVerdict } from '../../../model/bot-verdict.ts';
import type { FormField } from '../../../model/form-field.ts';
import { writeOpened } from './sealed-file.ts';

const name: FormField = {
  key: 'Name',
  type: 'text',
  displayName: 'Your name',
  description: 'Your name',
  required: true,
};

const openWith = (verdict: unknown, language?: unknown) =>
  writeOpened(
    {
      answers: [{ key: 'Name', value: 'Mere' }],
      about: {
        form: 'help',
        receivedAt: '2026-11-15T08:00:00.000Z',
        urgent: false,
        verdict: verdict as BotVerdict,
        definition: [name],
        language: language as string,
      },
    },
    'HK7W-3RQX',
  );

test('an older reader still shows the answers with a bot verdict that only a newer version knows', () => {
  expect(openWith({ kind: 'from-the-future' })).toMatchObject({
    answers: [{ question: 'Your name', answer: 'Mere' }],
    notes: [],
  });
});

test('a sealed file whose bot verdict is malformed still shows the answers', () => {
  const { answers, notes } = openWith({ kind: 'no-script' });
  expect(answers).toMatchObject([{ question: 'Name', answer: 'Mere' }]);
  expect(notes[0]).toContain('does not say when it was sent');
});

test('a sealed file says in which language it was written, where it was not the original', () => {
  const { facts, answers } = openWith({ kind: 'clean' }, 'sm');
  expect(facts[0]).toEqual(['Written on the page in', 'Samoan (sm)']);
  expect(answers).toMatchObject([{ answer: 'Mere', lang: 'sm' }]);
  for (const none of [null, undefined])
    expect(openWith({ kind: 'clean' }, none).facts.map(([label]) => label)).toEqual([
      'Reference',
      'Received',
    ]);
});

test('a sealed file whose language is malformed still shows the answers', () => {
  expect(openWith({ kind: 'clean' }, 'a"><script>\u001b').facts[0]?.[1]).toBe('a"><script>␛');
  expect(openWith({ kind: 'clean' }, { tag: 'sm' }).answers).toMatchObject([{ answer: 'Mere' }]);
});
