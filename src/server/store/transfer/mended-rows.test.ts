import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { type TransferRow, toTransferRow } from '../rows/transfer-row.ts';
import { mendRow } from './mended-rows.ts';

const { definition, hash } = shippedContent.forms.help;
const receivedAt = '2026-11-15T10:00:00.000Z';
const whole = toTransferRow({
  ...{ reference: 'WWWW-3333', form: 'help', definition: hash, definition_text: JSON.stringify(definition) },
  ...{ answers: '[]', sealed_answers: null, verdict: '{"kind":"clean"}', token_hash: 't', answers_hash: 'a' },
  ...{ received_at: receivedAt, next_attempt_at: receivedAt, attempts: 1, answered_at: null, read_at: null },
});

test('a row of a backup that is whole stays as it is', () => {
  expect(mendRow(whole)).toEqual(whole);
});

test.each<[string, Partial<TransferRow>, Partial<TransferRow>]>([
  ['its own hash to a form under that of another', { definitionText: '[]' }, { definitionText: '[]' }],
  ['no questions to a form that cannot be read', { definitionText: '{}' }, { definitionText: '[]' }],
  ['no time where there is none', { deliveredAt: 'then' }, { deliveredAt: null }],
  ['the time at which it came in', { jobs: 'soon' }, { jobs: expect.stringContaining(receivedAt) }],
  ['a number that both databases hold', { rank: -1 }, { rank: 0 }],
  ['a form of the site', { form: 'order' as never }, { form: 'help' }],
  ['answers that are damaged, where it has none', { answers: null }, { answers: '', sealedAnswers: null }],
  ['one kind of answers', { sealedAnswers: 'age' }, { answers: '[]', sealedAnswers: null }],
  [
    'yes where a flag is neither, and no canary',
    { urgent: 2 as never, canary: 2 as never },
    { urgent: true, canary: false },
  ],
  ['text where bytes are', { answers: Buffer.from('["ā"]') as never }, { answers: '["ā"]' }],
  ['a time where its bytes are', { readAt: Buffer.from(receivedAt) as never }, { readAt: receivedAt }],
  [
    'text where a list is',
    { answers: ['ā'] as never, verdict: 5 as never },
    { answers: '["ā"]', verdict: '5' },
  ],
  [
    'the jobs that it would have',
    { urgent: true, jobs: '[{"kind":"alert"}]' },
    { jobs: expect.stringMatching(/"escalate".*"remind team help".*"remind others help"/) },
  ],
  [
    'the duty to mail what was said after sending',
    { jobs: 'soon', deliveredAt: receivedAt, changes: '{"at":"x"}\n' },
    { jobs: expect.stringContaining('"changed"') },
  ],
  [
    'the wish not to be contacted, at whatever time',
    { noContactAt: 'then' },
    { noContactAt: expect.stringMatching(/Z$/) },
  ],
  ['nothing to count', { counts: 'many' }, { counts: '' }],
])('a damaged row gets %s', (_what, damage, mended) => {
  const row = mendRow({ ...whole, ...damage });
  expect(row).toMatchObject(mended);
  expect(row.definition === hash).toBe(damage.definitionText === undefined);
});

test('a damaged row gets a reference that names no file', () => {
  expect(mendRow({ ...whole, reference: '../../WWWW-3333' }).reference).toMatch(/^\w{4}-\w{4}$/);
});
