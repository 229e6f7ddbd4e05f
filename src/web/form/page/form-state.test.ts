import { expect, test } from 'vitest';
import type { Definition } from '../../../model/form-field.ts';
import { type FormAction, type FormState, reduceForm, startForm, startPosted } from './form-state.ts';

const question = { displayName: 'Name', description: 'Your name', required: true };
const definition: Definition = [
  { ...question, key: 'Name', type: 'text' },
  { ...question, key: 'Ways', type: 'checkbox', choices: ['Phone', 'Email'] },
];
const receipt = { reference: 'ABCD-1234', receivedAt: '2026-01-01T00:00:00.000Z' };
const next = { kind: 'reply', choices: [], urgent: false } as const;
const after = (...actions: FormAction[]): FormState => actions.reduce(reduceForm, startForm(definition));

test('a form starts empty, and takes over the values in its fields', () => {
  expect(after()).toEqual({ status: 'editing', definition, answers: { Name: '', Ways: [] }, touched: [] });
  const answers = { Name: 'Sample', Ways: ['Phone'] };
  expect(after({ type: 'found', answers })).toMatchObject({ status: 'editing', answers });
});

test('a field that lost the focus twice is touched once', () => {
  const touched: FormAction = { type: 'touched', key: 'Name' };
  expect(after(touched, touched)).toMatchObject({ touched: ['Name'] });
});

test('an email is not doubted again before it was left again, and one that was typed before the script is', () => {
  const left: FormAction = { type: 'touched', key: 'Email' };
  const typed: FormAction = { type: 'answered', key: 'Email', value: 'sample@gmail.' };
  expect(after(left, typed)).toMatchObject({ touched: [] });
  expect(after(left, typed, left)).toMatchObject({ touched: ['Email'] });
  expect(after({ type: 'found', answers: { Email: 'sample@gmail,com', Phone: '' } })).toMatchObject({
    touched: ['Email'],
  });
});

test('answers that could not be sent are known as long as nobody changes them', () => {
  const failed = after({ type: 'sending' }, { type: 'failed' });
  const isUnsent = (state: FormState) => state.status === 'editing' && state.unsent === state.answers;
  expect(isUnsent(after())).toBe(false);
  expect(isUnsent(failed)).toBe(true);
  expect(isUnsent(reduceForm(failed, { type: 'touched', key: 'Name' }))).toBe(true);
  expect(isUnsent(reduceForm(failed, { type: 'answered', key: 'Name', value: '' }))).toBe(false);
  expect(isUnsent(reduceForm(failed, { type: 'restarted', definition }))).toBe(false);
});

test('a failure goes back to editing with every answer', () => {
  const answered: FormAction = { type: 'answered', key: 'Name', value: 'Sample' };
  expect(after(answered, { type: 'sending' })).toMatchObject({ status: 'submitting' });
  expect(after(answered, { type: 'sending' }, { type: 'failed' })).toMatchObject({
    status: 'editing',
    answers: { Name: 'Sample' },
  });
});

test('a success deletes the answers, and another submission starts empty', () => {
  const sent = after({ type: 'sending' }, { type: 'sent', receipt, next });
  expect(sent).toEqual({ status: 'submitted', receipt, next });
  expect(reduceForm(sent, { type: 'restarted', definition })).toEqual(startForm(definition));
});

test('the same questions in another language leave answers, marks and a sending in progress as they are', () => {
  const translated = definition.map((field) => ({
    ...field,
    displayName: 'Ingoa',
    ...(field.type === 'checkbox' ? { choiceLabels: ['Waea', 'Īmēra'] } : {}),
  })) as Definition;
  const answered: FormAction[] = [
    { type: 'answered', key: 'Name', value: 'Sample' },
    { type: 'touched', key: 'Name' },
    { type: 'sending' },
  ];
  const before = after(...answered);
  const switched = reduceForm(before, { type: 'redefined', definition: translated });
  expect(switched).toEqual({ ...before, definition: translated });
  expect('answers' in switched && 'answers' in before && switched.answers === before.answers).toBe(true);
});

test('after a change of the form, answers that still fit stay, and questions without an answer are marked', () => {
  const changed: Definition = [
    { ...question, key: 'Town', type: 'text' },
    { ...question, key: 'Ways', type: 'checkbox', choices: ['Email', 'Text'] },
    { ...question, key: 'Name', type: 'textarea' },
  ];
  const answers = { Name: 'Sample', Ways: ['Phone', 'Email'] };
  const redefined: FormAction = { type: 'redefined', definition: changed };
  for (const status of ['editing', 'submitting']) {
    const before: FormAction[] = [{ type: 'found', answers }];
    if (status === 'submitting') before.push({ type: 'sending' });
    expect(after(...before, redefined)).toEqual({
      status,
      definition: changed,
      answers: { Town: '', Ways: ['Email'], Name: 'Sample' },
      touched: ['Town', 'Ways', 'Name'],
    });
  }
});

test('the same values and the same definition again change nothing', () => {
  const editing = after();
  expect(reduceForm(editing, { type: 'found', answers: { Name: '', Ways: [] } })).toBe(editing);
  const earlier = after({ type: 'answered', key: 'Name', value: 'Sample' });
  expect(reduceForm(earlier, { type: 'redefined', definition })).toBe(earlier);
});

test('nothing changes the answers while they are being sent', () => {
  const submitting = after({ type: 'sending' });
  for (const action of [
    { type: 'answered', key: 'Name', value: 'Other' },
    { type: 'found', answers: {} },
    { type: 'touched', key: 'Name' },
    { type: 'sending' },
  ] as FormAction[]) {
    expect(reduceForm(submitting, action)).toBe(submitting);
  }
  const editing = after();
  expect(reduceForm(editing, { type: 'sent', receipt, next })).toBe(editing);
  expect(reduceForm(editing, { type: 'failed' })).toBe(editing);
});

test('the response to a posted form begins with its outcome', () => {
  const answers = { Name: 'Sample', Ways: ['Phone', 'Fax'] };
  expect(startPosted(definition, { status: 'sent', receipt, next })).toEqual({
    status: 'submitted',
    receipt,
    next,
  });
  // A choice that is no longer offered has no place.
  const kept = { Name: 'Sample', Ways: ['Phone'] };
  expect(startPosted(definition, { status: 'failed', answers })).toEqual({
    status: 'editing',
    definition,
    answers: kept,
    touched: [],
  });
  const problem = { key: 'Ways', message: 'Name is required' };
  expect(startPosted(definition, { status: 'invalid', answers, problem })).toMatchObject({
    answers: kept,
    touched: ['Ways'],
  });
});
