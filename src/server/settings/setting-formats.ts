import { isIP } from 'node:net';
import { z } from 'zod';
import { findTlsProblem } from '../store/postgres/connection.ts';

/** What a setting may look like. Each message goes on after the setting's name and never repeats its value. */

export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be a web address, such as https://www.trust.example',
});
export const trimmedUrl = webAddress.transform((url) => url.replace(/\/+$/, ''));
export const mailAddress = z.email('must be one e-mail address, without a name');
export const isMailAddress = (text: string): boolean => mailAddress.safeParse(text).success;
export const listOf = (value: string) => value.split(',').map((part) => part.trim());
export const mailAddresses = z
  .string()
  .transform((value) => listOf(value).filter(Boolean))
  .refine((parts) => parts.length > 0 && parts.every((part) => mailAddress.safeParse(part).success), {
    error: 'must be one e-mail address, or several separated by commas',
  });
const isServerAddress = (url: string) => URL.canParse(url) && new URL(url).hostname !== '';
const strayPercent = 'has a % that stands for no character: write %25 for the % itself';

/** Whether each % is followed by a character's code. Most often a password has one that is meant as it stands. */
function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`; but not `/0`, which would be everyone. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix = '1', ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return /^[1-9]\d*$/.test(prefix) && Number(prefix) <= bits && more.length === 0;
}

export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine((number) => number >= from && number <= to, `must be a whole number from ${from} to ${to}`);

export const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
  .refine(URL.canParse, 'must be an address, such as postgres://user:password@host:5432/database')
  .refine(isDecodable, strayPercent)
  .superRefine((url, context) => {
    const message = URL.canParse(url) && isDecodable(url) ? findTlsProblem(url) : null;
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

export const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
  .refine(
    isServerAddress,
    'must name a server, such as smtp://user:password@mail.trust.example:587; in a password, write %2F for /, %23 for # and %3F for ?',
  )
  .refine(isDecodable, strayPercent);
