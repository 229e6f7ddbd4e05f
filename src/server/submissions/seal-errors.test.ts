import { expect, test } from 'vitest';
import { createOpen, createSeal, generateKeyPair } from './seal.ts';
import { describeBadIdentity, isOtherKey } from './seal-errors.ts';

test('a mistyped key, a text that is no key, and a public key have different messages', async () => {
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

test('a valid key that does not fit, and a damaged file, have different messages', async () => {
  const [ours, theirs] = [await generateKeyPair(), await generateKeyPair()];
  const { sealed } = await createSeal([ours.recipient])([{ key: 'Message', value: 'Sample' }]);
  const failure = (identity: string, file: string) =>
    createOpen(identity)(file).catch((error: unknown) => error);
  expect(isOtherKey(await failure(theirs.identity, sealed))).toBe(true);
  expect(isOtherKey(await failure(ours.identity, sealed.slice(0, 200)))).toBe(false);
});
