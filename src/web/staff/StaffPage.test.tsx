import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import type { StaffRequest, StaffView } from '../../model/staff-page.ts';
import { StaffPage } from './StaffPage.tsx';

const textOf = (view: StaffView) =>
  renderToStaticMarkup(<StaffPage site={shippedContent.site} view={view} />).replace(/<[^>]*>/g, ' ');

test('while the database is away, whoever pressed learns that it may be lost, and both commands', () => {
  const away = { kind: 'unavailable', reference: 'HK7W-3RQX' } as const;
  const pressed = textOf({ ...away, isPress: true });
  expect(pressed).toContain('Your press may not have been recorded. Try again in a minute.');
  for (const text of [pressed, textOf({ ...away, isPress: false })])
    for (const step of ['taken', 'answered']) expect(text).toContain(`./awhina ${step} HK7W-3RQX --by AB`);
  expect(textOf({ ...away, isPress: false })).not.toContain('Your press');
});

test('a link that ended says where there is one that works', () => {
  expect(textOf({ kind: 'nothing' })).toContain('The newest reminder has a link that works.');
});

const request: StaffRequest = {
  ...{
    kind: 'request',
    reference: 'HK7W-3RQX',
    noun: 'request',
    formTitle: 'Get Help',
    receivedAt: 'Sunday',
  },
  ...{ isUrgent: true, warning: null, callCard: null, taken: null, answered: null },
  ...{ noContact: null, withdrawn: null, message: null, typed: '' },
};

test('that a person must not be contacted stands above everything else', () => {
  const warning = { tone: 'stop', shout: 'DO NOT CONTACT THIS PERSON.', lines: ['Do not reply.'] } as const;
  const text = textOf({ ...request, warning, message: 'undone' });
  const main = text.slice(text.indexOf('DO NOT CONTACT'));
  expect(main).toMatch(
    /^DO NOT CONTACT THIS PERSON\.\s+Do not reply\..*That is undone.*HK7W-3RQX.*initials/s,
  );
  // It would say that the mail tells how this person may be contacted.
  expect(text).not.toContain('Read the mail first');
});

test('before the buttons stands what to know before a call, until it is answered', () => {
  const callCard = { limits: ['LEAVE NO MESSAGE.'], steps: [['Hide your number:', 'dial.']] } as const;
  expect(textOf({ ...request, callCard })).toMatch(
    /Read the mail first.*Before you call or text.*LEAVE NO MESSAGE\..*Hide your number:\s+dial\..*initials/s,
  );
  const answered = { at: 'Monday', since: 1 };
  expect(textOf({ ...request, callCard, answered })).not.toContain('Hide your number');
});
