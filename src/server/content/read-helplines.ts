import { z } from 'zod';
import type { Helplines } from '../../model/helplines.ts';
import { sentencesLike } from './catalogue.ts';
import { defaults } from './defaults.ts';
import {
  dayOrNever,
  httpsAddress,
  languageTag,
  oneOrMore,
  phoneNumber,
  trueOrFalse,
  words,
} from './words.ts';

const shownAddress = httpsAddress.transform((url) => url.replace(/^https:..|\/$/gi, ''));

const line = z
  .strictObject({
    name: words,
    for: words.describe('Whom it is for, in a few words.'),
    hours: words.describe('What it costs and when it answers, such as: Free, day and night').optional(),
    phone: phoneNumber.describe('In quotes, so that no nought is lost.').optional(),
    text: phoneNumber.describe('The number for text messages, in quotes.').optional(),
    always: trueOrFalse.describe('true, at one line: it answers everyone, day and night.').optional(),
    languages: oneOrMore(languageTag('zh'), z.array(languageTag('zh')))
      .describe('At a line for speakers of these languages: it comes first on their pages.')
      .optional(),
    chat: shownAddress.describe('The page on which people write to it: https://…').optional(),
    url: shownAddress.optional(),
  })
  .refine(
    ({ phone, text, chat, url }) => phone ?? text ?? chat ?? url,
    'expected a phone, a text number, a chat or a url',
  );

const { checked, lines, danger, ...sentences } = defaults['helplines.yaml'] as Helplines;

export const helplinesSchema = z.strictObject({
  checked: dayOrNever,
  ...sentencesLike(sentences, 'helplines:'),
  danger: z.strictObject({ ...sentencesLike(danger, 'helplines:danger'), phone: phoneNumber }),
  lines: z
    .array(line, { error: 'expected a list of helplines' })
    .min(1, 'expected at least one helpline')
    .refine(
      (lines) => lines.filter(({ always }) => always).length <= 1,
      'has always: true more than once: one line is named where somebody does not feel safe',
    ),
}) satisfies z.ZodType<Helplines>;

/** A warning when nobody has checked the numbers for over a year; null before. */
export function helplinesWarning({ checked }: Helplines, now: Date): string | null {
  const whatToDo = `Ring each one, then put today's date at "checked".`;
  if (checked === 'never') return `helplines.yaml: nobody has checked the numbers yet. ${whatToDo}`;
  const due = new Date(checked);
  due.setUTCFullYear(due.getUTCFullYear() + 1);
  if (now <= due) return null;
  return `helplines.yaml: the numbers were last checked on ${checked}, over a year ago. ${whatToDo}`;
}
