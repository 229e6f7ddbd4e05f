import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { readContent } from './content.ts';

function contentWith(line: string): string {
  const folder = temporaryFolder();
  cpSync('content', folder, { recursive: true });
  const path = join(folder, 'site.yaml');
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${line}\n`);
  return folder;
}

test('a charity’s number is shown with the name of the trust, and must look like one', async () => {
  const name = '{mi:Kōwhai} Family Support Centre';
  const { site } = await readContent(contentWith('charityNumber: CC12345'));
  expect(site.owner).toBe(`${name}. Registered charity CC12345`);
  expect((await readContent('content')).site.owner).toBe(name);
  await expect(readContent(contentWith('charityNumber: 12345'))).rejects.toThrow(
    'charityNumber: expected CC and a number',
  );
});
