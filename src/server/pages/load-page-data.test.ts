import { expect, test } from 'vitest';
import { prepareRoute } from '../../../test/support/graphql-route.ts';
import { content, renderPages } from '../../../test/support/rendered-pages.ts';
import { formNames } from '../../model/form-field.ts';
import { formQueries, operationNames } from '../../model/operations.ts';

test('a page brings the questions as GraphQL answers them, without labels that are the choices themselves', async () => {
  const { forms } = await (await renderPages()).data('help');
  const { post } = prepareRoute();
  for (const name of formNames) {
    const { data } = (await post({ query: formQueries[name] })).json();
    const withoutLabels = (key: string, value: unknown) => (key === 'choiceLabels' ? undefined : value);
    expect(JSON.stringify(forms[name])).toBe(JSON.stringify(data[operationNames[name].form], withoutLabels));
  }
  expect(forms.help?.map(({ key }) => key)).toContain('ForSomeoneElse');
});

test('words that only the server says are not sent a second time', async () => {
  const { site, helplines, photos } = await (await renderPages()).data('help');
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
