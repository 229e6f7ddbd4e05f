import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../support/command.ts';
import { sampleEntries } from '../support/forms.ts';
import { startPostgres } from '../support/postgres.ts';
import { installRelease, nobody, packRelease } from '../support/release.ts';
import { mailTo, startScriptedSmtp } from '../support/scripted-smtp.ts';
import { startProgram } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken, testSecret } from '../support/tokens.ts';
import { isReceipt, send } from '../support/visitor.ts';

/** Everything that happens to a trust's site in its years, in one go; and then it is counted. */
test('a trust’s site is installed, upgraded, restored elsewhere, moved to PostgreSQL and back: nothing is lost, nothing is mailed twice', async () => {
  const smtp = await startScriptedSmtp();
  const postgres = await startPostgres();
  onTestFinished(async () => {
    await smtp.close();
    await postgres.remove();
  });
  const first = installRelease(packRelease());
  const next = join(temporaryFolder(), 'next');
  chmodSync(join(next, '..'), 0o755);
  cpSync(first, next, { recursive: true, verbatimSymlinks: true });
  const manifest = JSON.parse(readFileSync(join(next, 'package.json'), 'utf8'));
  writeFileSync(join(next, 'package.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));

  /** A folder of somebody who has no rights on the machine. */
  const place = (name: string) => {
    const outer = temporaryFolder();
    chmodSync(outer, 0o755);
    const folder = join(outer, name);
    mkdirSync(folder);
    if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid);
    return folder;
  };
  const ask = async (version: string, folder: string, ...args: string[]) => {
    const result = await run(join(version, 'awhina'), args, {}, { cwd: folder, ...nobody });
    expect(result, `awhina ${args[0]}`).toMatchObject({ code: 0 });
    return result.out;
  };

  const acknowledged: string[] = [];
  const serve = async (version: string, folder: string) => {
    const server = await startProgram(join(version, 'awhina'), ['start'], {}, folder, nobody);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    for (let count = 0; count < 3; count++) {
      const receipt = await send(server.url, 'help', sampleEntries.help, await mintToken());
      if (!isReceipt(receipt)) throw new Error(`Not taken: ${receipt}`);
      acknowledged.push(receipt.reference);
    }
    await expect.poll(() => smtp.accepted.length, { timeout: 60_000 }).toBe(acknowledged.length);
    expect(await server.end()).toBe(0);
    const listed = await ask(version, folder, 'list');
    expect(acknowledged.filter((reference) => !listed.includes(reference))).toEqual([]);
  };
  const set = (folder: string, values: Record<string, string>) =>
    appendFileSync(
      join(folder, 'awhina.env'),
      Object.entries(values)
        .map(([name, value]) => `${name}="${value}"\n`)
        .join(''),
    );
  const unset = (folder: string, name: string) => {
    const path = join(folder, 'awhina.env');
    writeFileSync(path, readFileSync(path, 'utf8').replace(new RegExp(`^${name}=.*\n`, 'm'), ''));
  };

  const trust = place('trust');
  const who = ['--name', 'Sample Trust', '--email', 'kiaora@sample.example', '--address', '1 Example Street'];
  await ask(first, trust, 'init', '.', ...who);
  set(trust, { ...mailTo(smtp.port), PORT: '0', LOG_LEVEL: 'info', BOT_CHECK_SECRET: testSecret });
  await serve(first, trust);
  await serve(next, trust);
  expect(await ask(next, trust, '--version')).toContain('99.0.0');

  const backup = join(trust, 'all.backup');
  await ask(next, trust, 'backup', backup, '--with-secrets');
  const elsewhere = place('elsewhere');
  cpSync(join(trust, 'awhina.env'), join(elsewhere, 'awhina.env'));
  chmodSync(join(elsewhere, 'awhina.env'), 0o644);
  expect(await ask(next, elsewhere, 'restore', backup)).toContain(`${acknowledged.length} requests`);
  await serve(next, elsewhere);

  const url = await postgres.createDatabase();
  set(elsewhere, { DATABASE_URL: url });
  await serve(next, elsewhere);
  const fromPostgres = join(elsewhere, 'postgres.backup');
  await ask(next, elsewhere, 'backup', fromPostgres, '--with-secrets');
  unset(elsewhere, 'DATABASE_URL');
  set(elsewhere, { DATA_DIR: join(elsewhere, 'data-again') });
  expect(await ask(next, elsewhere, 'restore', fromPostgres)).toContain(`${acknowledged.length} requests`);
  await serve(next, elsewhere);

  const mailed = smtp.accepted.map(({ raw }) => /^Message-ID: <(.*)@/im.exec(raw)?.[1] ?? '');
  expect(mailed.toSorted()).toEqual(acknowledged.toSorted());
  const listed = await ask(next, elsewhere, 'list', '--json');
  expect(
    JSON.parse(listed)
      .map(({ reference }: { reference: string }) => reference)
      .toSorted(),
  ).toEqual(acknowledged.toSorted());
}, 900_000);
