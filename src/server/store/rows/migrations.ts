import { readdirSync, readFileSync } from 'node:fs';

interface Migration {
  /** 1 for `001-….sql`; they are applied in this order, each once. */
  number: number;
  sql: string;
}

export function readMigrations(dialect: 'sqlite' | 'postgres'): Migration[] {
  const folder = new URL(`../${dialect}/migrations/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ number: Number.parseInt(file, 10), sql: readFileSync(new URL(file, folder), 'utf8') }));
}
