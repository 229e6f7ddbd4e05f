import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { shippedContent, stillContent } from '../../../test/support/forms.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { registerMachineFiles } from './machine-files.ts';
import type { Pages } from './pages.ts';

test('the favicon is the trust’s logo, also a changed one, and the default where there is none', async () => {
  const contentDir = temporaryFolder();
  const logo = join(contentDir, 'logo.svg');
  writeFileSync(logo, '<svg/>');
  const app = Fastify();
  registerMachineFiles(app, { content: stillContent({ ...shippedContent, folder: contentDir }) } as Pages);
  const ask = async () => {
    const { statusCode, payload } = await app.inject('/favicon.svg');
    return statusCode === 200 ? payload : statusCode;
  };
  expect(await ask()).toBe('<svg/>');
  writeFileSync(logo, '<svg id="new"/>');
  await expect.poll(ask).toBe('<svg id="new"/>');
  rmSync(logo);
  await expect.poll(ask).toContain('M32 53.5');
});
