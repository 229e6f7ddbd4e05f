import { expect, onTestFinished, test, vi } from 'vitest';
import { renewForm } from './form-definitions.ts';

test('a definition that cannot be fetched is logged in the words of the specification', async () => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 503 }));
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await renewForm('help', 60_000)).toBeNull();
  expect(await renewForm('contact', 60_000)).toBeNull();
  expect(logged.mock.calls.map(([words]) => words)).toEqual([
    'Could not get the help request field',
    'Could not get the contact request field',
  ]);
});
