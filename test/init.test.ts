import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readContent } from '../src/server/content/content.ts';
import { settingNames } from '../src/server/settings/settings-list.ts';
import { awhina, awhinaShared } from './support/command.ts';
import { shippedContent } from './support/forms.ts';
import { compileCache, startProgram } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';

const options = {
  name: 'Whānau "Sample" Trust: Sampletown',
  email: 'kiaora@sample.example',
  phone: '0800 000 000',
  address: '1 Example Street, Sampletown #2',
};
const asArguments = (given: Record<string, string>) =>
  Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);

/** A trust's folder, made as a volunteer makes it. */
async function makeTrust(given: Record<string, string> = options) {
  const folder = join(temporaryFolder(), 'our-website');
  return { folder, ...(await awhinaShared(['init', folder, ...asArguments(given)])) };
}

test('a trust’s folder has what is theirs and our translations, and check finds nothing wrong with it', async () => {
  const { folder, code, out } = await makeTrust();
  expect(code).toBe(0);
  expect(out).toContain(`${folder} is ready.`);
  expect(
    globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['README.md', 'awhina.env', 'en-NZ-x-easy.po', 'helplines.yaml', 'site.yaml']);
  expect(statSync(join(folder, 'awhina.env')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'content/site.yaml')).mode & 0o777).toBe(0o644);
  // What is silent by default is said to a visitor of a new trust.
  expect(readFileSync(join(folder, 'content/site.yaml'), 'utf8')).toContain(
    '\nform:\n  failureMessage: Your form has not been sent.\n',
  );
  // As many as the schema takes.
  expect(readFileSync(join(folder, 'content/site.yaml'), 'utf8')).toMatch(/up to four\.\n# social:/);

  const checked = await awhinaShared(['check'], {}, folder);
  expect(checked.out).toMatch(/^The content and the settings are right\.\n/);
  expect(checked.out).toContain(
    'these words are our defaults, and you can write your own: site.yaml: answerWithin,',
  );
});

test('a list of helplines of one’s own begins with all of ours, so that none is lost in silence', async () => {
  const { folder } = await makeTrust();
  const path = join(folder, 'content/helplines.yaml');
  const [head = '', lines = ''] = readFileSync(path, 'utf8').split(/(?<=\n)(?=# lines:)/);
  writeFileSync(path, head + lines.replace(/^# /gm, ''));
  expect((await readContent(join(folder, 'content'))).helplines.lines).toEqual(
    shippedContent.helplines.lines,
  );
  const { out } = await awhinaShared(['check'], {}, folder);
  expect(out).toMatch(/^The content and the settings are right\.\n/);
  expect(out).not.toContain('not shown');
});

test('awhina start in that folder serves it, and SIGTERM ends it', async () => {
  const { folder } = await makeTrust();
  const script = resolve('src/cli/awhina.ts');
  const server = await startProgram(process.execPath, [script, 'start'], { LOG_LEVEL: 'info' }, folder);
  onTestFinished(async () => void (await server.end()));
  const home = await (await fetch(server.url)).text();
  expect(home).toContain('Whānau &quot;Sample&quot; Trust: Sampletown');
  expect(/Kōwhai|kowhai\.example|under construction/.exec(home)?.[0]).toBeUndefined();
  expect(home).toMatch(/\/photos\/[0-9a-f]{32}\/cover/);
  const help = await (await fetch(`${server.url}/help`)).text();
  expect(help).toContain('href="mailto:kiaora@sample.example"');
  expect(help).toContain('href="tel:0800000000"');
  expect((await fetch(`${server.url}/favicon.svg`)).status).toBe(200);
  expect(globSync('data/awhina.sqlite', { cwd: folder })).toHaveLength(1);
  expect(await server.end()).toBe(0);
});

test('a new site is offered in Easy words, without a word of the example, and again once a suggested line is used', async () => {
  const { folder } = await makeTrust();
  const path = join(folder, 'content/languages/en-NZ-x-easy.po');
  const easy = readFileSync(path, 'utf8');
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(easy).toContain('"Project-Id-Version: Whānau');
  expect(/Kōwhai|Waitāwhina|fuzzy/.exec(easy)?.[0]).toBeUndefined();
  const list = async () => JSON.parse((await awhinaShared(['languages', '--json'], {}, folder)).out);
  // The name and the address of the trust are shown as they are.
  expect(await list()).toMatchObject([{ tag: 'en-NZ-x-easy', offered: true, stale: 0, missing: 2 }]);

  const site = join(folder, 'content/site.yaml');
  const suggested = /^# (?=hours:|answerWithin:|promises:| {2}- (Our|What|You) )/gm;
  writeFileSync(site, readFileSync(site, 'utf8').replace(suggested, ''));
  // Our own translations of the suggested lines stand in until they are in the file.
  expect(await list()).toMatchObject([{ offered: true, missing: 2, stale: 0 }]);
  const updated = await awhinaShared(['languages', 'update'], {}, folder);
  expect(updated.out).toBe('en-NZ-x-easy: 5 back with their translations, 1 set aside\n');
  expect(await list()).toMatchObject([{ offered: true, stale: 0, missing: 2 }]);
});

test('every setting is in awhina.env, explained and not set', async () => {
  const { folder } = await makeTrust();
  const text = readFileSync(join(folder, 'awhina.env'), 'utf8');
  expect(parseEnv(text)).toEqual({});
  const set = parseEnv(text.replace(/^#(?=[A-Z_]+=)/gm, ''));
  expect(Object.keys(set).toSorted()).toEqual(settingNames.toSorted());
});

test('a file that is there already stays as it is', async () => {
  const { folder } = await makeTrust();
  const site = join(folder, 'content/site.yaml');
  writeFileSync(site, 'organisation: Ours\n');
  const { code, out } = await awhinaShared(['init', folder, ...asArguments({ ...options, name: 'Another' })]);
  expect(code).toBe(0);
  expect(out).toContain('content/site.yaml already exists, and stays as it is.');
  expect(readFileSync(site, 'utf8')).toBe('organisation: Ours\n');
});

test('without a terminal, missing and wrong options are named, and nothing is written', async () => {
  const { folder, code, err } = await makeTrust({ email: 'nobody', phone: 'ring us' });
  expect(code).toBe(2);
  expect(err).toContain('--name: is missing');
  expect(err).toContain('--email: expected one e-mail address');
  expect(err).toContain('--phone: expected digits and spaces only');
  expect(err).toContain('--address: is missing');
  expect(globSync('**', { cwd: folder })).toEqual([]);
  expect((await awhinaShared(['init'])).err).toContain('awhina init needs one folder');
});

test.each([
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
])(
  '%s at a question ends the command without a stack trace, and says that nothing was written',
  async (_name, key) => {
    const folder = join(temporaryFolder(), 'our-website');
    const command = `exec ${process.execPath} src/cli/awhina.ts init ${folder} --name Sample`;
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { PATH: process.env.PATH, ...compileCache },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let shown = '';
    terminal.stdout.on('data', (bytes) => {
      if (shown === '') terminal.stdin.write(key);
      shown += bytes;
    });
    const [code] = await once(terminal, 'close');
    expect(stripVTControlCharacters(shown).replaceAll('\r', '')).toBe(
      'Its e-mail address, as visitors see it: \nNothing was written.\n',
    );
    expect(code).toBe(130);
    expect(globSync('**', { cwd: folder })).toEqual([]);
  },
);

test('a trust without a number has none on its pages', async () => {
  const { name, email, address } = options;
  const { folder } = await makeTrust({ name, email, address });
  const checked = await awhinaShared(['check'], {}, folder);
  expect(checked.code).toBe(0);
  expect(readFileSync(join(folder, 'content/site.yaml'), 'utf8')).toContain('# phone: "0800 000 000"');
});

test('awhina start outside a trust’s folder says which folder to use', async () => {
  const { code, err } = await awhina(['start'], {}, temporaryFolder());
  expect(code).toBe(1);
  expect(err).toMatch(
    /^There is no \S+content\. Go to your trust's folder first, or make one: \S+ init FOLDER\n$/,
  );
});
