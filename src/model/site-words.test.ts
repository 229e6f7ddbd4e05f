import { expect, test } from 'vitest';
import { pageAt } from './routes.ts';
import type { Site } from './site.ts';
import { fillFrom, pageTitle } from './site-words.ts';

const site = {
  organisation: '{mi:Kōwhai} Centre',
  email: 'kiaora@kowhai.example',
  phone: '0800 000 000',
  social: [{ name: 'Facebook', url: '' }],
  pages: { home: { heading: '{organisation}' }, contact: { heading: 'Contact Us' } },
} as unknown as Site;

test('every title has the name of the trust, once', () => {
  expect(pageTitle(site, 'home')).toBe('Kōwhai Centre');
  expect(pageTitle(site, 'contact')).toBe('Contact Us – Kōwhai Centre');
});

test('the trust’s name, addresses and number are filled in; what it does not have is shown as it is written', () => {
  expect(fillFrom(site, '{organisation} on {social}, {email}, {phone}, {hours}')).toBe(
    '{mi:Kōwhai} Centre on Facebook, kiaora@kowhai.example, 0800 000 000, {hours}',
  );
});

test('a trailing slash leads to the same page', () => {
  expect(['/', '/help', '/help/', '/helpful', ''].map(pageAt)).toEqual([
    'home',
    'help',
    'help',
    null,
    'home',
  ]);
});
