import { z } from 'zod';

/** What most of the content is made of. The messages are read by a volunteer. */

export const words = z.string({ error: 'expected words' }).min(1, 'must not be empty');

/** One that can be rung: a helpline's, or the trust's own. */
export const phoneNumber = z
  .string({ error: 'expected a number in quotes, such as "0800 733 843"' })
  .regex(/^\+?\d[\d ]*$/, 'expected digits and spaces only');

export const trueOrFalse = z.boolean({ error: 'expected true or false' });
