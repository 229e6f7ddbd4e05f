import { expect, test } from 'vitest';
import { content, renderPages } from '../../../test/support/rendered-pages.ts';
import { formNames } from '../../model/form-field.ts';

test('a form brings the questions of both, and only the meanings that the browser uses', async () => {
  const { forms } = await (await renderPages()).data('help');
  for (const name of formNames) {
    const asked = content.forms[name].definition.map((field) => ({ ...field, meanings: undefined }));
    expect(forms[name]).toEqual(JSON.parse(JSON.stringify(asked)));
  }
  expect(JSON.stringify(forms)).not.toContain('meanings');
});

test('words that only the server says are not sent a second time', async () => {
  const { site, helplines, photos, meanings } = await (await renderPages()).data('help');
  expect(meanings.help?.map(({ means }) => means)).toEqual(['urgent', 'call', 'text', 'email', 'none']);
  expect(site.pages.help).not.toHaveProperty('description');
  expect(site.form).not.toHaveProperty('trap');
  expect(site.leave).not.toHaveProperty('onePress');
  expect(helplines).not.toHaveProperty('checked');
  expect(site.pages.help.heading).toBe(content.site.pages.help.heading);
  expect(Object.keys(photos.headers.help ?? {})).toEqual(['alt', 'avg_color', 'folder']);
});

test('the home page has no question and no word that only a form shows', async () => {
  const home = await (await renderPages()).data('home');
  expect(home).not.toHaveProperty('forms');
  expect(home.site).not.toHaveProperty('privacy');
  expect(JSON.stringify(home)).not.toContain(content.helplines.lines[0]?.name ?? 'a helpline');
  expect(home.helplines.danger).toEqual(content.helplines.danger);
});

test('the picture of a card is decoration and has no description', async () => {
  const { photos } = await (await renderPages()).data('help');
  expect(photos.cards.map((photo) => photo?.alt)).toEqual(['', '']);
  expect(photos.headers.help?.alt).toBe('Photo 0');
});
