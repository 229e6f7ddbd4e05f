import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyContent } from '../../../test/support/content-mistakes.ts';
import { readContent } from './content.ts';
import { helplinesWarning } from './read-helplines.ts';

async function problemsWith(from: string, to: string): Promise<string> {
  const folder = await copyContent();
  const path = join(folder, 'helplines.yaml');
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
  return readContent(folder).then(
    () => '',
    (error: Error) => error.message,
  );
}

test('a warning comes when the numbers were last checked over a year ago, and not before', async () => {
  const { helplines } = await readContent('content');
  const checked = { ...helplines, checked: '2026-03-31' };
  expect(helplinesWarning(checked, new Date('2027-03-31T00:00:00Z'))).toBeNull();
  expect(helplinesWarning(checked, new Date('2027-04-01T00:00:00Z'))).toMatch(
    /^helplines\.yaml: .*2026-03-31, over a year ago/,
  );
  const never = helplinesWarning({ ...helplines, checked: 'never' }, new Date('2026-03-31T00:00:00Z'));
  expect(never).toContain('nobody has checked the numbers yet');
});

test('a helpline without phone, text number and address is refused', async () => {
  expect(await problemsWith('    phone: "105"\n', '')).toContain(
    'lines › #7: expected a phone, a text number, a chat or a url',
  );
});

test('at most one helpline is marked as always there', async () => {
  expect(await problemsWith('    phone: "105"\n', '    phone: "105"\n    always: true\n')).toContain(
    'lines: has always: true more than once',
  );
  expect(await problemsWith('    always: true\n', '')).toBe('');
});

test('a helpline on the web is named by an address that is shown without https://, and no other kind is taken', async () => {
  const { helplines } = await readContent('content');
  expect(helplines.lines.flatMap(({ url }) => url ?? [])).toEqual([
    'www.police.govt.nz/111-txt',
    'www.nzrelay.co.nz',
  ]);
  for (const other of ['http://www.nzrelay.co.nz', 'javascript:alert(1)', 'www.nzrelay.co.nz'])
    expect(await problemsWith('https://www.nzrelay.co.nz', other)).toContain(
      'lines › #9 › url: expected an address that begins with https://',
    );
});

test('a helpline may have a chat, by an https address alone; one with nothing else is a helpline too', async () => {
  const { helplines } = await readContent('content');
  expect(helplines.lines.flatMap(({ chat }) => chat ?? [])).toEqual(['www.areyouok.org.nz', 'safetotalk.nz']);
  expect(await problemsWith('    phone: "105"\n', '    chat: https://chat.example/105\n')).toBe('');
  for (const other of ['http://safetotalk.nz', 'javascript:alert(1)', 'safetotalk.nz'])
    expect(await problemsWith('chat: https://safetotalk.nz', `chat: ${other}`)).toContain(
      'lines › #4 › chat: expected an address that begins with https://',
    );
});
