import { expect, test } from 'vitest';
import { solve } from '../../../test/support/tokens.ts';
import { createSharedAltcha } from './shared-altcha.ts';

test('with a new secret the challenges of the old one are still taken, and those of strangers are not', async () => {
  const own = createSharedAltcha('the secret this server began with, alone');
  const other = createSharedAltcha('the secret that all servers have in common');
  const before = await solve(await own.createChallenge());
  expect(await other.verify(before)).toMatchObject({ ok: false });
  own.adopt('the secret that all servers have in common');
  const after = await solve(await own.createChallenge());
  expect(await own.verify(before)).toMatchObject({ ok: true });
  expect(await own.verify(after)).toMatchObject({ ok: true });
  expect(await other.verify(after)).toMatchObject({ ok: true });
});
