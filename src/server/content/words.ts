import { z } from 'zod';

/** What most of the content is made of. The messages are read by a volunteer. */

/** What is said of a line that is not there, and of one that is something else than expected. */
export const expected =
  (what: string) =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? `is missing: ${what}` : what;

export const words = z.string({ error: expected('expected words') }).min(1, 'must not be empty');

/** One that can be rung: a helpline's, or the trust's own. */
export const phoneNumber = z
  .string({ error: expected('expected a number in quotes, such as "0800 733 843"') })
  .regex(/^\+?\d[\d ]*$/, 'expected digits and spaces only');
