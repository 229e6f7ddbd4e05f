import { expect, onTestFinished, test, vi } from 'vitest';
import { renewForm } from './form-definitions.ts';

const original = { tag: 'en-NZ', name: 'English', prefix: '' };

test('a definition that cannot be fetched is logged in the words of the specification', async () => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 503 }));
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await renewForm('help', original, 60_000)).toBeNull();
  expect(await renewForm('contact', original, 60_000)).toBeNull();
  expect(logged.mock.calls.map(([words]) => words)).toEqual([
    'Could not get the help request field',
    'Could not get the contact request field',
  ]);
});
