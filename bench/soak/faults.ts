import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestPostgres } from '../../test/support/postgres.ts';
import type { ScriptedSmtp } from '../../test/support/scripted-smtp.ts';

/** What goes wrong around the site while it is soaked. None of it is a reason to refuse anybody. */

export interface Fault {
  name: string;
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
  /** Where it must not last as long as there is time for. */
  atMostMs?: number;
}

export interface FaultParts {
  smtp: ScriptedSmtp;
  contentDir: string;
  dataDir: string;
  postgres: TestPostgres | null;
}

export async function createFaults({ smtp, contentDir, dataDir, postgres }: FaultParts): Promise<Fault[]> {
  const file = join(contentDir, 'site.yaml');
  const good = await readFile(file, 'utf8');
  let edits = 0;

  const mail = (name: string, script: ScriptedSmtp['script']): Fault => ({
    name,
    begin() {
      smtp.script = script;
    },
    end() {
      smtp.script = {};
    },
  });
  return [
    mail('mail hangs', { GREETING: 'silent' }),
    // On every page, so that all of them are made anew.
    {
      name: 'content edited',
      begin: () => writeFile(file, good.replace(/^address: /m, `address: Flat ${++edits}, `)),
      end: () => {},
    },
    mail('mail refused', { MAIL: '451 later' }),
    {
      name: 'content broken',
      begin: () => writeFile(file, good.replace(/^organisation: /m, 'organisation: [')),
      end: () => writeFile(file, good.replace(/^address: /m, `address: Flat ${++edits}, `)),
    },
    mail('hung up on before the receipt of a mail', { END: 'drop' }),
    holdDatabase(dataDir),
    mail('mail dribbles', { GREETING: 'dribble' }),
    ...(postgres
      ? [{ name: 'PostgreSQL away', begin: () => postgres.stop(), end: () => postgres.start() }]
      : []),
  ];
}

/** By another program, such as a backup. */
function holdDatabase(dataDir: string): Fault {
  let other: DatabaseSync | null = null;
  return {
    name: 'database held',
    // Whoever sends a form waits for two seconds.
    atMostMs: 1_000,
    begin() {
      other = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 10_000 });
      other.exec('BEGIN IMMEDIATE');
    },
    end() {
      other?.exec('ROLLBACK');
      other?.close();
      other = null;
    },
  };
}

/** One after the other, each for half of its share of the time: what comes after a fault belongs to it as well. */
export async function runFaults(
  faults: readonly Fault[],
  wholeMs: number,
  tell: (name: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const shareMs = wholeMs / faults.length;
  for (const { name, begin, end, atMostMs = Number.POSITIVE_INFINITY } of faults) {
    if (signal.aborted) return;
    const lastsMs = Math.min(shareMs / 2, atMostMs);
    tell(name);
    await begin();
    await pause(lastsMs, undefined, { signal }).catch(() => {});
    await end();
    await pause(shareMs - lastsMs, undefined, { signal }).catch(() => {});
  }
}
