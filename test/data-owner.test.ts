import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhina, run } from './support/command.ts';
import { startProgram } from './support/server.ts';
import { createClock, storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

/** The user of the service: nobody's, who is on every machine. */
const service = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;

/** A machine with the content as root's, readable by all, and DATA_DIR as the service's with some requests in it. */
async function makeMachine() {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const contentDir = join(folder, 'content');
  cpSync('content', contentDir, { recursive: true });
  const dataDir = join(folder, 'data');
  const store = await openSqliteStore(dataDir);
  const references: string[] = [];
  for (let count = 0; count < 3; count++)
    references.push(await storeSubmission(store, { receivedAt: createClock().now() }));
  await store.close();
  for (const path of [dataDir, join(dataDir, 'awhina.sqlite')]) chownSync(path, service.uid, service.gid);
  const env = { DATA_DIR: dataDir, CONTENT_DIR: contentDir, LOG_LEVEL: 'info', WEEKLY_LETTER: 'off' };
  const start = async (user: Partial<typeof service>) => {
    const script = resolve('src/cli/awhina.ts');
    const server = await startProgram(process.execPath, [script, 'start'], env, folder, user);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    return server;
  };
  const asService = (args: string[]) =>
    run(process.execPath, [resolve('src/cli/awhina.ts'), ...args], env, { cwd: folder, ...service });
  const ofRoot = () =>
    readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
      (path) => statSync(join(dataDir, path)).uid === 0,
    );
  return { folder, dataDir, contentDir, references, env, start, asService, ofRoot };
}

describe.runIf(isRoot)('root beside a service of another user, which only root can try', () => {
  test('a start and commands as root leave no file that the service could not use', async () => {
    const { dataDir, env, references, start, asService, ofRoot } = await makeMachine();
    const server = await start({});
    expect(statSync(`/proc/${server.process.pid}`).uid).toBe(service.uid);
    const kept = () => (existsSync(join(dataDir, 'content')) ? readdirSync(join(dataDir, 'content')) : []);
    await expect.poll(kept).toEqual([expect.stringMatching(/^t\d+$/)]);
    const mails = () => readdirSync(join(dataDir, 'mail')).filter((name) => name.endsWith('.eml')).length;
    await expect.poll(mails).toBeGreaterThanOrEqual(references.length);
    expect(await server.end()).toBe(0);

    // From a folder that the service may not even enter, as /root is.
    const rootsOwn = temporaryFolder();
    const [first = '', second = ''] = references;
    expect(await awhina(['erase', first, '--yes'], env, rootsOwn)).toMatchObject({ code: 0 });
    expect(await awhina(['deliveries', 'read', '--all'], env, rootsOwn)).toMatchObject({ code: 0 });
    // What only reads stays root, and writes where root may.
    const out = join(rootsOwn, 'all.csv');
    expect(await awhina(['export', '--csv', '--out', out], env, rootsOwn)).toMatchObject({ code: 0 });
    expect(statSync(out).uid).toBe(0);
    expect(ofRoot()).toEqual([]);
    expect(await asService(['erase', second, '--yes'])).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(dataDir, 'erased.log'), 'utf8').match(/one erased/g)).toHaveLength(2);
  });

  test('check as root says what the service could not read', async () => {
    const { contentDir, env } = await makeMachine();
    expect(await awhina(['check'], env)).toMatchObject({ code: 0 });
    chmodSync(join(contentDir, 'site.yaml'), 0o600);
    const { code, out, err } = await awhina(['check'], env);
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/site\.yaml.*EACCES|site\.yaml.*read/);
  });

  test('a command of root knows credentials that only root may read', async () => {
    const { folder, env } = await makeMachine();
    const settings = join(folder, 'awhina.env');
    writeFileSync(
      settings,
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    mkdirSync(join(folder, 'credentials'), { mode: 0o700 });
    writeFileSync(join(folder, 'credentials', 'BOT_CHECK_SECRET'), 'too short', { mode: 0o600 });
    const { code, out } = await awhina(['check'], { AWHINA_ENV: settings });
    expect([code, out]).toEqual([1, expect.stringContaining('BOT_CHECK_SECRET must have at least 32')]);
  });

  test('files of root that a killed restore has unpacked are reported, and stop no command until the restore replaced something', async () => {
    const { dataDir, asService } = await makeMachine();
    mkdirSync(join(dataDir, 'restoring', 'mail'), { recursive: true, mode: 0o700 });
    writeFileSync(join(dataDir, 'restoring', 'mail', 'sample'), 'plain text');
    // It gets as far as asking the clock, which is ahead of the samples.
    expect((await asService(['purge'])).err).toContain('Nothing was erased: it is');
    expect((await asService(['check'])).out).toContain(`${dataDir}/restoring belongs to root`);
    writeFileSync(
      join(dataDir, 'unfinished-restore'),
      JSON.stringify({ pid: 0, backup: '', madeAt: '2026-01-01T00:00:00.000Z', requests: 3 }),
    );
    expect((await asService(['purge'])).err).toContain('was started and not finished');
  });

  test('a start on files that root left repairs what can be made anew, and says whose the rest is', async () => {
    const { dataDir, start, asService } = await makeMachine();
    writeFileSync(join(dataDir, 'bot-check-secret'), 's'.repeat(64), { mode: 0o600 });
    writeFileSync(join(dataDir, 'erased.log'), 'one erased\n', { mode: 0o600 });
    for (const folder of ['content', 'mail']) {
      mkdirSync(join(dataDir, folder), { mode: 0o700 });
      writeFileSync(join(dataDir, folder, 'sample'), '');
    }
    const server = await start(service);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    const kept = () => (existsSync(join(dataDir, 'content')) ? readdirSync(join(dataDir, 'content')) : []);
    await expect.poll(kept).toHaveLength(1);
    expect(statSync(join(dataDir, 'bot-check-secret')).uid).toBe(service.uid);
    expect(await server.end()).toBe(0);
    const mend = `belong to root, and cannot be used by nobody. As root: chown -R nobody: ${dataDir}`;
    expect(server.lines.join('\n')).toContain(mend);
    const checked = await asService(['check']);
    expect([checked.code, checked.out]).toEqual([1, expect.stringContaining(mend)]);
    expect(await asService(['purge'])).toMatchObject({
      code: 1,
      err: `${dataDir}/mail cannot be used by nobody. awhina check says more.\n`,
    });
  });

  test('a backup of root, restored by root, is the service’s, and the words can be read by all', async () => {
    const { folder, env, references } = await makeMachine();
    const backup = join(temporaryFolder(), 'sample.backup');
    expect(await awhina(['backup', backup], env)).toMatchObject({ code: 0 });
    const place = { DATA_DIR: join(folder, 'other'), CONTENT_DIR: join(folder, 'words') };
    mkdirSync(place.DATA_DIR, { mode: 0o700 });
    chownSync(place.DATA_DIR, service.uid, service.gid);
    expect(await awhina(['restore', backup], { ...env, ...place })).toMatchObject({ code: 0 });
    const inside = readdirSync(place.DATA_DIR, { recursive: true, encoding: 'utf8' });
    expect(inside.filter((path) => statSync(join(place.DATA_DIR, path)).uid !== service.uid)).toEqual([]);
    expect(statSync(join(place.CONTENT_DIR, 'site.yaml')).mode & 0o777).toBe(0o644);
    const listed = await run(
      process.execPath,
      [resolve('src/cli/awhina.ts'), 'list'],
      { ...env, ...place },
      {
        cwd: folder,
        ...service,
      },
    );
    expect(references.filter((reference) => !listed.out.includes(reference))).toEqual([]);
  });

  test('a request is erased, and said to be, also where root wrote the log of that', async () => {
    const { dataDir, references, asService } = await makeMachine();
    writeFileSync(join(dataDir, 'erased.log'), 'one erased\n', { mode: 0o600 });
    const [reference = ''] = references;
    const out = `${reference} is erased.\n`;
    expect(await asService(['erase', reference, '--yes'])).toEqual({ code: 0, out, err: '' });
    expect(readdirSync(dataDir).filter((name) => name.startsWith('erased.log'))).toHaveLength(2);
  });

  test('a database of root stops the service in one sentence, with what to do', async () => {
    const { dataDir, start, asService } = await makeMachine();
    chownSync(join(dataDir, 'awhina.sqlite'), 0, 0);
    const sentence = `${dataDir}/awhina.sqlite belongs to root, and cannot be used by nobody. As root: chown -R nobody: ${dataDir}`;
    await expect(start(service)).rejects.toThrow(`The server ended with 1:\n\n${sentence}\n`);
    expect(await asService(['list'])).toMatchObject({ code: 1, err: `${sentence}\n` });
  });

  test('a DATA_DIR that cannot be written to is one sentence, and check does not call it right', async () => {
    const { folder, dataDir, asService } = await makeMachine();
    chmodSync(dataDir, 0o500);
    const sentence = expect.stringContaining('DATA_DIR cannot be written to.');
    expect(await asService(['check'])).toMatchObject({ code: 1, out: sentence });
    chmodSync(folder, 0o777);
    const { code, err } = await asService(['backup', 'site.backup']);
    expect({ code, err }).toMatchObject({ code: 1, err: sentence });
    expect(err).not.toContain('    at ');
  });
});
