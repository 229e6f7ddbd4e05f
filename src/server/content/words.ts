import { z } from 'zod';
import { isCanonicalTag } from './languages/tags.ts';
import { defaultMessages } from './schema-mistakes.ts';

/** Schemas of single values. Volunteers read the messages. */

export const words = z.string({ error: 'expected words' }).min(1, 'must not be empty');

export const phoneNumber = z
  .string({ error: 'expected a number in quotes, such as "0800 733 843"' })
  .regex(/^\+?\d[\d ]*$/, 'expected digits and spaces only');

export const httpsAddress = z.url({
  protocol: /^https$/,
  error: 'expected an address that begins with https://',
});

/** As BCP 47 writes it: `zh-Hans`, and not `zh-hans`. */
export const languageTag = (example: string) =>
  z
    .string({ error: `expected a language, such as ${example}` })
    .refine(isCanonicalTag, `expected a language, such as ${example}`);

const aDay = "expected a day, such as 2026-03-31, or 'never'";
/** The day on which a person of the trust last checked something. */
export const dayOrNever = z.union([z.iso.date(aDay), z.literal('never', aDay)], aDay);

export const trueOrFalse = z.boolean({ error: 'expected true or false' });

/** By the schema that {@link oneOrMore} made: one value, and a list of values. An editor's schema needs to know the two. */
export const oneOrMoreParts = new WeakMap<z.core.$ZodType, readonly [one: z.ZodType, list: z.ZodType]>();

/** One value or a list of values. Not a zod union, whose message would only say that the value is neither. */
export function oneOrMore<T>(one: z.ZodType<T>, list: z.ZodType<T[]>) {
  const written = z.unknown();
  oneOrMoreParts.set(written, [one, list]);
  return written.transform((value, context): T[] => {
    const read = (Array.isArray(value) ? list : one).safeParse(value, { error: defaultMessages });
    if (read.success) return [read.data].flat() as T[];
    context.issues.push(...(read.error.issues as z.core.$ZodRawIssue[]));
    return z.NEVER;
  });
}
