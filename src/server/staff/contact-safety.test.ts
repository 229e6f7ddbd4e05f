import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import { stored } from '../../../test/support/submission-mail.ts';
import type { Answers } from '../../model/answers.ts';
import { describeRequest } from './staff-page.ts';

const refusal = "Please don't contact me, I will contact you";
const viewOf = (answers: Answers, changes = {}) =>
  describeRequest(stored('help', answers, changes), shippedContent.site);

test('the page of a person who must not be contacted says so in red, and quotes nothing', () => {
  const view = viewOf({ SafeContact: ['Phone call', refusal] });
  expect(view).toMatchObject({
    warning: { tone: 'stop', shout: 'DO NOT CONTACT THIS PERSON.' },
    callCard: null,
  });
  expect(JSON.stringify(view)).not.toMatch(/They chose|Phone call|I will contact/);
});

test('while nobody knows what is safe, the page says not to contact this person yet', () => {
  for (const changes of [{ answers: { sealed: 'x' } }, { damaged: '"021 000 000"' }]) {
    const view = viewOf({}, changes);
    expect(view).toMatchObject({
      warning: { tone: 'caution', shout: 'DO NOT CONTACT THIS PERSON YET.' },
      callCard: null,
    });
    expect(JSON.stringify(view)).not.toContain('021');
  }
});

test('the card for a call has the general limits, and neither number, times nor words of the request', () => {
  const limited = {
    CallTimes: ['Mornings'],
    IfSomeoneAnswers: ['Do not leave a message'],
    OtherTimes: 'Tuesdays',
  };
  const view = viewOf({ SafeContact: ['Phone call', 'Text message'], ...limited });
  expect(view.warning).toBeNull();
  expect(view.callCard?.limits).toEqual([
    'Only at the safe times. They are in the mail.',
    expect.stringMatching(/^LEAVE NO MESSAGE\./),
    'In a text, name neither us nor why.',
  ]);
  expect(view.callCard?.steps[0]?.[0]).toBe('Hide your number:');
  expect(JSON.stringify(view)).not.toMatch(/Mornings|Tuesdays|Do not leave|021|Housing|Hōne|visitor/);
  expect(viewOf({ SafeContact: ['Phone call'] }).callCard?.limits).toEqual([]);
  expect(viewOf({ SafeContact: ['Email'] })).toMatchObject({ warning: null, callCard: null });
});
