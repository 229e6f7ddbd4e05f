import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestPostgres } from '../../test/support/postgres.ts';
import type { ScriptedSmtp } from '../../test/support/scripted-smtp.ts';

/** Failures around the site during a soak. None of them is a reason to refuse a visitor. */

export interface Fault {
  name: string;
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
  /** For faults that must be shorter than their share of the time. */
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
    // The address is on every page, so all pages are rendered again.
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
    mail('mail connection dropped before the reply', { END: 'drop' }),
    lockDatabase(dataDir),
    mail('mail dribbles', { GREETING: 'dribble' }),
    ...(postgres
      ? [{ name: 'PostgreSQL away', begin: () => postgres.stop(), end: () => postgres.start() }]
      : []),
  ];
}

/** Locked by another program, such as a backup. */
function lockDatabase(dataDir: string): Fault {
  let other: DatabaseSync | null = null;
  return {
    name: 'database locked',
    // A submission waits for the lock for two seconds at most.
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

/** One fault after the other, each for half of its share of the time: the other half shows the recovery. */
export async function runFaults(
  faults: readonly Fault[],
  totalMs: number,
  onBegin: (name: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const shareMs = totalMs / faults.length;
  for (const { name, begin, end, atMostMs = Number.POSITIVE_INFINITY } of faults) {
    if (signal.aborted) return;
    const durationMs = Math.min(shareMs / 2, atMostMs);
    onBegin(name);
    await begin();
    await pause(durationMs, undefined, { signal }).catch(() => {});
    await end();
    await pause(shareMs - durationMs, undefined, { signal }).catch(() => {});
  }
}
