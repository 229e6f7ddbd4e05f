import { expect, test } from 'vitest';
import { isRecipient } from './recipient.ts';
import { createOpen, createSeal, generateKeyPair } from './seal.ts';

const answers = [
  { key: 'FirstName', value: 'Hōne' },
  { key: 'Message', value: 'a lone \ud800 surrogate and a NUL \0' },
  { key: 'SafeContact', value: ['Email'] },
  { key: 'ForSomeoneElse', value: true },
];

test('any one of the recipients opens what was sealed, word for word', async () => {
  const [one, two] = [await generateKeyPair(), await generateKeyPair()];
  const { sealed } = await createSeal([one.recipient, two.recipient])(answers);
  expect(sealed).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----/);
  expect(await createOpen(`# made for a test\n${one.identity}\n`)(sealed)).toEqual({ answers, about: null });
  expect(await createOpen(two.identity)(sealed)).toEqual({ answers, about: null });
});

test('nobody else opens it, and a changed one does not open', async () => {
  const [one, other] = [await generateKeyPair(), await generateKeyPair()];
  const { sealed } = await createSeal([one.recipient])(answers);
  await expect(createOpen(other.identity)(sealed)).rejects.toThrow();
  const lines = sealed.split('\n');
  const changed = lines.with(4, [...(lines[4] ?? '')].reverse().join('')).join('\n');
  await expect(createOpen(one.identity)(changed)).rejects.toThrow();
});

test('a recipient with one wrong letter is not a recipient', async () => {
  const { recipient, identity } = await generateKeyPair();
  expect(isRecipient(recipient)).toBe(true);
  expect(isRecipient(recipient.slice(0, -1) + (recipient.endsWith('q') ? 'p' : 'q'))).toBe(false);
  expect(isRecipient(identity)).toBe(false);
  expect(isRecipient('age1')).toBe(false);
});
