import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { type Node, parse } from 'acorn';
import { expect, test } from 'vitest';

/** Who may know whom. The rooms of src/ and the doors between them. */

const files = globSync('src/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file));
const source = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const room = (path: string) => path.split('/')[1] ?? '';

interface Import {
  from: string;
  /** A path inside the project, or a package's name. */
  to: string;
}
const imports: Import[] = [...source].flatMap(([from, text]) =>
  [
    ...text.matchAll(
      /(?:^|[\s;])(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm,
    ),
  ].map((match) => {
    const to = match[1] ?? match[2] ?? match[3] ?? '';
    return { from, to: to.startsWith('.') ? normalize(join(dirname(from), to)) : to };
  }),
);
const show = ({ from, to }: Import) => `${from} → ${to}`;
const outside = (path: string) => !path.startsWith('src/');

test('the server and the web import the model and never each other; the command line imports the server', () => {
  const allowed: Record<string, string[]> = {
    model: ['model'],
    server: ['server', 'model'],
    web: ['web', 'model'],
    reader: ['reader', 'server', 'model'],
    report: ['report', 'server', 'model'],
    cli: ['cli', 'report', 'server', 'model'],
  };
  expect(imports.length).toBeGreaterThan(1_000);
  // The model has no package either.
  const mayImport = ({ from, to }: Import) =>
    outside(to) ? room(from) !== 'model' && !to.startsWith('test/') : allowed[room(from)]?.includes(room(to));
  expect(imports.filter((one) => !mayImport(one)).map(show)).toEqual([]);
});

test.each([
  ['reads the environment', /\bprocess\.env\b|import\.meta\.env\.(?!DEV|PROD|SSR)/, 'settings/settings.ts'],
  // So that no connection to another machine is in clear text.
  ['connects to PostgreSQL', /\bconnectionString\b/, 'store/postgres/connection.ts'],
  // So that no file’s own schema is trusted.
  ['opens a SQLite file', /new DatabaseSync\b/, 'store/sqlite/connection.ts'],
])('only one file %s', (_does, pattern, file) => {
  const found = [...source].filter(([, text]) => pattern.test(text));
  expect(found.map(([name]) => name)).toEqual([`src/server/${file}`]);
});

test('only the stores import a database driver', () => {
  const drivers = imports.filter(({ to }) => to === 'pg' || to === 'node:sqlite');
  const wrong = drivers.filter(({ from }) => !/^src\/server\/store\/(sqlite|postgres|transfer)/.test(from));
  expect(drivers.length).toBeGreaterThanOrEqual(2);
  expect(wrong.map(show)).toEqual([]);
});

test('every connection to PostgreSQL has the options of connection.ts', () => {
  const made = [...source.values()].flatMap(
    (text) => text.match(/\bnew (?:\w+\.)?(?:Client|Pool)\([^)]*/g) ?? [],
  );
  expect(made.length).toBeGreaterThanOrEqual(2);
  expect(made.filter((call) => !call.includes('...connectionOptions(url'))).toEqual([]);
});

test('only safe-quarter.ts sees what was counted; make-report.ts passes them on', () => {
  const readers = imports.filter(
    ({ from, to }) => room(from) === 'report' && to === 'src/server/store/contract/counts.ts',
  );
  // Of labels.ts it is the bounds.
  expect(readers.map(({ from }) => from).toSorted()).toEqual([
    'src/report/labels.ts',
    'src/report/make-report.ts',
    'src/report/safe-quarter.ts',
  ]);
});

test('only main.ts, start/ and the command line build parts', () => {
  const builders =
    /\b(openSqliteStore|openPostgresStore|createStoreWithFallback|createAltcha|createRecaptcha|openContent|createApp|createLog|createSmtpTransport|createFolderTransport|createDeliveryWorker|createUndeliveredNotice|createRetention|createStaffAlert|createStoreHealth|createScheduledJobs|createSelfChecks)\(/;
  const wrong = [...source].filter(
    ([file, text]) =>
      builders.test(text.replace(/export (async )?function \w+\(/g, '')) &&
      !isStart(file) &&
      room(file) !== 'cli',
  );
  expect(wrong.map(([file]) => file)).toEqual([]);
});

/** A room of the server by its name in the table of ARCHITECTURE.md; null for main.ts, app.ts, start/ and what is outside. */
function serverRoom(path: string): string | null {
  const name = /^src\/server\/(store\/[\w-]+|[\w-]+)\//.exec(path)?.[1] ?? null;
  return name === 'start' ? null : name;
}

/** What each room of the server may import, from the table "The rooms" in ARCHITECTURE.md. */
function readRooms(): Map<string, string[]> {
  const rows = readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^\| `src\/server\/(.*?) \|.*\| (.*) \|$/gm);
  const names = (cell: string) => [...cell.matchAll(/`([\w/-]+?)\/?`/g)].map(([, name = '']) => name);
  const everywhere = ['model', 'files', 'time', 'hardening', 'log'];
  const rules = [...rows].flatMap(([, first = '', third = '']) => {
    const rooms = names(`\`${first}`);
    const own = [...rooms, ...names(third)];
    return rooms.map((name) => [name, name === 'store/contract' ? own : [...own, ...everywhere]] as const);
  });
  return new Map(rules);
}

test('a room of the server imports only what the table in ARCHITECTURE.md allows', () => {
  const rooms = readRooms();
  const ofRooms = imports.filter(({ from, to }) => serverRoom(from) && to.startsWith('src/'));
  expect(ofRooms.length).toBeGreaterThan(300);
  expect(ofRooms.filter(({ from }) => !rooms.has(serverRoom(from) ?? '')).map(show)).toEqual([]);
  const wrong = ofRooms.filter(({ from, to }) => {
    const target = serverRoom(to) ?? (room(to) === 'model' ? 'model' : to);
    return target !== serverRoom(from) && !rooms.get(serverRoom(from) ?? '')?.includes(target);
  });
  expect(wrong.map(show)).toEqual([]);
});

test('only start/open-store.ts opens the two databases of a server', () => {
  const builders = imports.filter(
    ({ from, to }) =>
      /^src\/server\/store\/(sqlite|postgres)\/.*-store\.ts$/.test(to) &&
      from.startsWith('src/server/') &&
      !from.startsWith('src/server/store/'),
  );
  expect(new Set(builders.map(({ from }) => from))).toEqual(new Set(['src/server/start/open-store.ts']));
});

test('no files import each other in a circle, types included', () => {
  const left = new Set(files);
  const isFree = (file: string) => !imports.some(({ from, to }) => from === file && left.has(to));
  for (let before = 0; before !== left.size; ) {
    before = left.size;
    for (const file of left) if (isFree(file)) left.delete(file);
  }
  expect([...left], 'those in a circle, and those that import them').toEqual([]);
});

const isStart = (file: string) => file === 'src/server/main.ts' || file.startsWith('src/server/start/');

/** Lines of each function of a file. Types are replaced by spaces, so that lines stay where they were. */
function functionLengths(text: string): number[] {
  const lengths: number[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, loc } = node as Partial<Node>;
    if (loc && /Function/.test(type ?? '')) lengths.push(loc.end.line - loc.start.line + 1);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module', locations: true }));
  return lengths;
}

test('no function of main.ts and start/ is longer than 60 lines', () => {
  expect(functionLengths('const one = () => {\n  two();\n};\n')).toEqual([3]);
  const lengths = [...source]
    .filter(([file]) => isStart(file))
    .map(([file, text]) => ({ file, lines: functionLengths(text) }));
  expect(lengths.length).toBeGreaterThan(5);
  expect(lengths.filter(({ lines }) => Math.max(0, ...lines) > 60)).toEqual([]);
});

/** All that is loaded into the server: its room, and whatever that imports. The command runs without permissions. */
function loadedByServer(): string[] {
  const found = new Set(files.filter((file) => room(file) === 'server'));
  for (const file of found)
    for (const { from, to } of imports) if (from === file && source.has(to)) found.add(to);
  return [...found];
}

/** What Node 26 refuses on every file while --permission is on, by whichever of its names it is called. */
const refused = /\bf(data)?sync(Sync)?\s*[(,]|\.(data)?sync\(|\bflush: true|\bf(chmod|chown|utimes)(Sync)?\b/;

test('the server calls nothing that Node refuses under the permissions of the unit, such as fsync', () => {
  const code = (file: string) => (source.get(file) ?? '').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const loaded = loadedByServer();
  expect(loaded).toContain('src/server/store/sqlite/database-file.ts');
  expect(loaded.filter((file) => refused.test(code(file)))).toEqual([]);
});

test('files are named by their subject', () => {
  const names = /(^|\/)(utils?|helpers?|common|misc|types|index|services?|managers?)(\.|\/)/i;
  expect(files.filter((file) => names.test(file))).toEqual([]);
});

test('no file, test or not, is longer than 250 lines', () => {
  const all = globSync('{src,test,scripts,build}/**/*.{ts,tsx}');
  const long = all.filter((file) => readFileSync(file, 'utf8').split('\n').length > 251);
  expect(all.length).toBeGreaterThan(files.length);
  expect(long).toEqual([]);
});
