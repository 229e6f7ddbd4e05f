import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTar } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { awhinaShared } from './support/command.ts';
import { openStore } from './support/each-store.ts';
import { filesWith } from './support/find-in-files.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

describe('a backup file', () => {
  async function make(...options: string[]) {
    const dataDir = temporaryFolder();
    const store = await openStore(dataDir);
    await storeSubmission(store, { receivedAt: new Date() });
    const file = join(temporaryFolder(), 'site.backup');
    const settings = {
      DATA_DIR: dataDir,
      SMTP_URL: 'smtp://u:Kanariwhero8Q@127.0.0.1',
      PEXELS_API_KEY: 'Kanariwhero9Q',
    };
    const mail = { MAIL_FROM: 'a@b.example', MAIL_TO_HELP: 'a@b.example', MAIL_TO_CONTACT: 'a@b.example' };
    const result = await awhinaShared(['backup', file, ...options], { ...settings, ...mail });
    return { file, result, dataDir };
  }
  const restoreElsewhere = (file: string) =>
    awhinaShared(['restore', file], { DATA_DIR: join(temporaryFolder(), 'data') });

  test('opens with tar, holds no secret unless it is asked for, and is never written over another', async () => {
    const { file, dataDir } = await make();
    const listed = execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).split('\n');
    expect(listed).toEqual(expect.arrayContaining(['awhina.sqlite', 'content/site.yaml', 'manifest.json']));
    expect(filesWith(join(file, '..'), 'Kanariwhero')).toEqual([]);
    const asked = await make('--with-secrets');
    expect(filesWith(join(asked.file, '..'), 'Kanariwhero9Q')).toEqual([asked.file]);

    writeFileSync(file, 'another');
    const { code, err } = await awhinaShared(['backup', file], { DATA_DIR: dataDir });
    expect({ code, err }).toEqual({ code: 1, err: `${file} already exists. Choose another name.\n` });
    expect(readFileSync(file, 'utf8')).toBe('another');
  });

  test('that was cut off or changed is refused, and leaves nothing behind', async () => {
    const { file } = await make();
    const bytes = readFileSync(file);
    const place = join(temporaryFolder(), 'data');
    const attempt = () => awhinaShared(['restore', file], { DATA_DIR: place });
    for (const length of [0, 600, bytes.length / 2, bytes.length - 2048]) {
      writeFileSync(file, bytes);
      truncateSync(file, Math.floor(length));
      expect(await attempt()).toMatchObject({ code: 1, out: '' });
    }
    bytes.writeUInt8(bytes.readUInt8(9_000) ^ 1, 9_000);
    writeFileSync(file, bytes);
    expect(await attempt()).toMatchObject({ code: 1, err: expect.stringMatching(/damaged|incomplete/) });
    expect(globSync('**', { cwd: place }).filter((path) => path !== '.')).toEqual([]);
  });

  test('that would write anywhere else is refused', async () => {
    const file = join(temporaryFolder(), 'evil.backup');
    for (const name of ['content/../../evil', '/tmp/evil', 'mail/.hidden', 'awhina.sqlite-wal']) {
      const body = 'evil';
      writeFileSync(file, await packTar([{ header: { name, size: body.length, type: 'file' }, body }]));
      expect(await restoreElsewhere(file)).toMatchObject({ code: 1 });
    }
  });

  test('with a file and a folder of one name is refused in a sentence', async () => {
    const file = join(temporaryFolder(), 'evil.backup');
    const entry = (name: string) => ({ header: { name, size: 1, type: 'file' as const }, body: 'x' });
    for (const [first, second] of [
      ['content/a', 'content/a/b'],
      ['content/a', 'content/a/b/c'],
      ['content/a/b', 'content/a'],
    ] as const) {
      writeFileSync(file, await packTar([entry(first), entry(second)]));
      const err = `${file} has a file and a folder of one name, at ${second}.\n`;
      expect(await restoreElsewhere(file)).toMatchObject({ code: 1, err });
    }
  });
});
