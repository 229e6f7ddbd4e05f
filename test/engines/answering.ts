import type { Driver } from './driver.ts';

/**
 * What a test is begun anew for (project.ts), with another window, and nothing else: under load WebKit's program loses the
 * answer to a command now and then, and its browser may end as it starts.
 */
export const notAnswered = 'The engine does not answer';
/** The longest command seen on a busy machine took 4.7 s. */
const limitMs = 30_000;

export async function answered<T>(asked: Promise<T>, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(() => reject(new Error(`${notAnswered}: ${what}`)), limitMs);
  return Promise.race([asked, promise]).finally(() => clearTimeout(limit));
}

/** The same driver, of which no command is waited for for ever. */
export function answering(driver: Driver): Driver {
  const bounded = Object.entries(driver).map(([name, command]) => [
    name,
    (...args: unknown[]) => answered(command(...args), name),
  ]);
  return Object.fromEntries(bounded);
}
