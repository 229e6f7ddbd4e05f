import { expect, test } from 'vitest';
import { createOpen, createSeal, generateKeyPair } from './seal.ts';
import { describeBadIdentity, isOtherKey } from './seal-errors.ts';

test('a key that was mistyped is told from one that is none, and from the half that is public', async () => {
  const { identity, recipient } = await generateKeyPair();
  const last = identity.endsWith('A') ? 'C' : 'A';
  for (const text of [
    identity.slice(0, -1) + last,
    identity.slice(0, -5),
    `# made today\n${identity.slice(0, 40)}\n${identity.slice(40)}`,
    identity.toLowerCase(),
  ]) {
    expect(() => createOpen(text)).toThrow();
    expect(describeBadIdentity(text)).toMatch(
      /^The private key has a typing mistake, or part of it is missing/,
    );
  }
  expect(describeBadIdentity(recipient)).toMatch(/^That is the public half/);
  expect(describeBadIdentity('My key')).toMatch(/^That is no private key/);
});

test('a proper key that does not fit is told from a file that is not whole', async () => {
  const [ours, theirs] = [await generateKeyPair(), await generateKeyPair()];
  const { sealed } = await createSeal([ours.recipient])([{ key: 'Message', value: 'Sample' }]);
  const failure = (identity: string, file: string) =>
    createOpen(identity)(file).catch((error: unknown) => error);
  expect(isOtherKey(await failure(theirs.identity, sealed))).toBe(true);
  expect(isOtherKey(await failure(ours.identity, sealed.slice(0, 200)))).toBe(false);
});
