import { expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const host = 'trust.example';

test.each([
  ['the browser says that it is from here', { 'sec-fetch-site': 'same-origin' }],
  ['the visitor sends it again after a restart', { 'sec-fetch-site': 'none' }],
  ['an older browser names our address', { origin: 'https://trust.example', host }],
  ['it does so while trying the site at home', { origin: 'http://trust.example', host }],
  ['a proxy calls the server by another name', { origin: 'https://public.example', host: '127.0.0.1:3000' }],
  ['the browser is older than both', { host }],
  [
    'a proxy has changed the origin and the browser vouches',
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
  ],
])('taken: %s', (_why, headers) => {
  expect(isSameOrigin(headers, 'https://public.example')).toBe(true);
});

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://other.example', host }],
  ['another site that names us', { 'sec-fetch-site': 'cross-site', origin: 'https://trust.example', host }],
  ['a neighbour under the same domain', { 'sec-fetch-site': 'same-site', origin: 'https://x.trust.example' }],
  ['another site in an older browser', { origin: 'https://other.example', host }],
  ['a page that hides where it is from', { origin: 'null', host }],
  ['an address that only begins like ours', { origin: 'https://trust.example.other', host }],
])('not taken: %s', (_why, headers) => {
  expect(isSameOrigin(headers, undefined)).toBe(false);
});
