import { randomBytes } from 'node:crypto';

/** As long as a browser takes to follow a redirect, on a slow line. */
const forMs = 60_000;
const most = 100;

/**
 * Names that were typed, each for the one page that follows its press. The address has a random id, and nothing is left with
 * it afterwards: a name may be in no address, cookie or log. On another server the field is empty.
 */
export function createTypedNames(now: () => Date) {
  const names = new Map<string, { name: string; until: number }>();
  return {
    add(name: string): string {
      const id = randomBytes(9).toString('hex');
      names.set(id, { name, until: now().getTime() + forMs });
      for (const oldest of names.keys()) {
        if (names.size <= most) break;
        names.delete(oldest);
      }
      return id;
    },
    /** '' for an id that was used, or is too old. */
    take(id: unknown): string {
      const found = names.get(String(id));
      names.delete(String(id));
      return found && found.until >= now().getTime() ? found.name : '';
    },
  };
}
