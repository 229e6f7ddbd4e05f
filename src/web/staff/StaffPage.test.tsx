import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import type { StaffView } from '../../model/staff-page.ts';
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
