import { existsSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { type Settings, writeSettings } from '../../server/settings/settings.ts';
import { explainDataDir, withExplanation } from '../../server/start/start-problems.ts';
import type { CountRow } from '../../server/store/contract/counts.ts';
import { parseTransferRow, type TransferRow } from '../../server/store/rows/transfer-row.ts';
import { databasePath } from '../../server/store/sqlite/database-file.ts';
import { copyDatabase, type RequestTally } from '../../server/store/transfer/database-copy.ts';
import type { Part } from './backup-file.ts';

/** The entries of a backup. */
export const entryNames = {
  database: 'awhina.sqlite',
  settings: 'settings.env',
  secret: 'bot-check-secret',
  erased: 'erased.log',
  /** The counts for reports in PostgreSQL. Those of SQLite are in the database file itself. */
  counts: 'counts.jsonl',
} as const;
export const entryFolders = { rows: 'rows', content: 'content', mail: 'mail' } as const;

interface PartsOptions {
  settings: Settings;
  withSecrets: boolean;
  onProgress: (done: number, total: number) => void;
}

/** Everything that a site is made of, and the number of requests in it. */
export function collectParts({ settings, withSecrets, onProgress }: PartsOptions) {
  const tally: RequestTally = { requests: 0, undelivered: 0 };
  let contentFiles = 0;
  const { dataDir, contentDir, databaseUrl } = settings;

  async function* parts(): AsyncGenerator<Part> {
    // The local file first: a request that the server transfers to PostgreSQL meanwhile is then in both parts. In the
    // other order the request would be in neither.
    if (existsSync(databasePath(dataDir))) yield await copyFile(dataDir, tally, onProgress);
    if (databaseUrl) yield* readRows(databaseUrl, tally);
    for await (const part of filesIn(contentDir, entryFolders.content)) {
      contentFiles++;
      yield part;
    }
    yield* filesIn(mailFolderIn(dataDir), entryFolders.mail);
    yield* fileIn(dataDir, entryNames.erased);
    if (withSecrets) yield* fileIn(dataDir, entryNames.secret);
    yield asPart(entryNames.settings, writeSettings(withSecrets));
  }

  return { parts: parts(), count: () => tally, hasContent: () => contentFiles > 0 };
}

/** The copy is unlinked as soon as it is open: a kill after that leaves nothing behind. */
async function copyFile(
  dataDir: string,
  tally: RequestTally,
  onProgress: PartsOptions['onProgress'],
): Promise<Part> {
  const copy = await withExplanation(explainDataDir, () => copyDatabase(dataDir, onProgress));
  tally.requests += copy.tally.requests;
  tally.undelivered += copy.tally.undelivered;
  const file = await open(copy.path);
  await rm(copy.path);
  return { name: entryNames.database, size: (await file.stat()).size, body: file.createReadStream() };
}

async function* readRows(url: string, tally: RequestTally): AsyncGenerator<Part> {
  const { readSnapshot } = await import('../../server/store/transfer/postgres-snapshot.ts');
  const { openPostgresStore } = await import('../../server/store/postgres/postgres-store.ts');
  // Refuses a database of another version.
  await (await openPostgresStore(url, () => {}, { migrates: false })).close();
  let batches = 0;
  let countRows: CountRow[] = [];
  const onCounts = (rows: CountRow[]) => {
    countRows = rows;
  };
  for await (const rows of readSnapshot(url, onCounts)) {
    tally.requests += rows.length;
    tally.undelivered += rows.filter(({ deliveredAt }) => deliveredAt === null).length;
    const name = `${entryFolders.rows}/${String(++batches).padStart(6, '0')}.jsonl`;
    yield asPart(name, asLines(rows));
  }
  yield asPart(entryNames.counts, asLines(countRows));
}

const asLines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
export const parseRows = (text: string): TransferRow[] => linesOf(text).map(parseTransferRow);
export const parseCounts = (text: string): CountRow[] => linesOf(text).map((line) => JSON.parse(line));

function asPart(name: string, content: string | Uint8Array): Part {
  const bytes = Buffer.from(content);
  return { name, size: bytes.length, body: [bytes] };
}

async function* fileIn(folder: string, name: string): AsyncGenerator<Part> {
  const content = await readFile(join(folder, name)).catch(() => null);
  if (content) yield asPart(name, content);
}

async function* filesIn(folder: string, into: string): AsyncGenerator<Part> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((one) => one.isFile() && !one.name.startsWith('.'))) {
    const path = join(entry.parentPath, entry.name);
    // Erased or renamed since the folder was listed.
    const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (content) yield asPart(`${into}/${relative(folder, path).split(sep).join('/')}`, content);
  }
}
