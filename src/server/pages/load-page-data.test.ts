import { expect, test } from 'vitest';
import { prepareRoute } from '../../../test/support/graphql-route.ts';
import { content, renderPages } from '../../../test/support/rendered-pages.ts';
import { formNames } from '../../model/form-field.ts';
import { forms as formEntries } from '../../model/forms.ts';
import { formQueries } from '../../model/operations.ts';

test('a page brings the questions as GraphQL answers them, without labels that are the choices themselves, and what they mean', async () => {
  const { forms } = await (await renderPages()).data('help');
  const { post } = prepareRoute();
  for (const name of formNames) {
    const { data } = (await post({ query: formQueries[name] })).json();
    const withoutLabels = (key: string, value: unknown) => (key === 'choiceLabels' ? undefined : value);
    const withoutMeaning = (key: string, value: unknown) => (key === 'means' ? undefined : value);
    expect(JSON.stringify(forms[name], withoutMeaning)).toBe(
      JSON.stringify(data[formEntries[name].operations.form], withoutLabels),
    );
  }
  expect(forms.help).toContainEqual(
    expect.objectContaining({ key: 'ForSomeoneElse', means: 'forSomeoneElse' }),
  );
});

test('words that only the server says are not sent a second time', async () => {
  const { site, helplines, photos, meanings } = await (await renderPages()).data('help');
  expect(meanings.help?.map(({ means }) => means)).toEqual(['call', 'text', 'email', 'none', 'urgent']);
  expect(site.pages.help).not.toHaveProperty('description');
  expect(site.form).not.toHaveProperty('trap');
  expect(site.leave).not.toHaveProperty('onePress');
  expect(helplines).not.toHaveProperty('checked');
  expect(site.pages.help.heading).toBe(content.site.pages.help.heading);
  expect(Object.keys(photos.headers.help ?? {})).toEqual(['alt', 'avg_color', 'folder']);
});

test('the picture of a card is decoration and has no description', async () => {
  const { photos } = await (await renderPages()).data('home');
  expect(photos.cards.map((photo) => photo?.alt)).toEqual(['', '']);
  expect(photos.headers.help?.alt).toBe('Photo 0');
});
