import { z } from 'zod';

/** What most of the content is made of. The message is read by a volunteer. */
export const words = z.string({ error: 'expected words' }).min(1, 'must not be empty');
