import { isIP } from 'node:net';
import { z } from 'zod';
import { isRecipient } from '../submissions/recipient.ts';

/** What a setting may be. Messages follow the setting's name and never repeat its value. Addresses are in server-addresses.ts. */

export const anyText = z.string();

export const mailAddress = z.email('must be one e-mail address, without a name');
export const isMailAddress = (text: string): boolean => mailAddress.safeParse(text).success;
const listOf = (value: string) => value.split(',').map((part) => part.trim());
export const mailAddresses = z
  .string()
  .transform((value) => listOf(value).filter(Boolean))
  .refine((parts) => parts.length > 0 && parts.every(isMailAddress), {
    error: 'must be one e-mail address, or several separated by commas',
  });

/** The ones that the alert itself has, and those that `fetch` refuses. */
const ownHeaders =
  /^(host|content-.*|connection|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/i;
export const alertHeaders = z
  .string()
  .transform((value) => value.split('|').map((part) => /^\s*([\w-]+)\s*:\s*(\S.*?)\s*$/.exec(part)))
  .transform((parts) => parts.map((part) => [part?.[1] ?? '', part?.[2] ?? ''] as const))
  .refine((headers) => headers.length <= 10, 'must be ten headers at most')
  .refine((headers) => headers.every(([name, value]) => name && /^[\x20-\x7e]+$/.test(value)), {
    error: 'must be Name: value, several with | between them, in letters, digits and signs of ASCII',
  })
  .refine((headers) => !headers.some(([name]) => ownHeaders.test(name)), {
    error: 'must not name Host, Content-Type or others that the website sets itself',
  });

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`; but not `/0`, which would be everyone. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '1', ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return /^[1-9]\d*$/.test(prefix) && Number(prefix) <= bits && more.length === 0;
}

export function wholeNumber(from: number, to: number) {
  const message = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((number) => number >= from && number <= to, message);
}

/** In their canonical form, which the names of the language files have too. Null where one is no tag. */
function readTags(value: string): string[] | null {
  try {
    return Intl.getCanonicalLocales(listOf(value).filter(Boolean));
  } catch {
    return null;
  }
}

export const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' });
export const alertBody = z.enum(['json', 'text'], { error: 'must be json or text' });
const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export const logLevel = z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` });

export const languageTags = z.string().transform((value, context) => {
  const tags = readTags(value);
  const error = 'must be the tag of a language, such as mi, or several separated by commas';
  if (tags === null) context.addIssue({ code: 'custom', message: error });
  return tags ?? [];
});

export const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time in New Zealand, such as 08:30');

export const timeOrOff = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|off)$/, 'must be a time in New Zealand, such as 16:00, or off');

export const monitorKey = z.string().regex(/^[\w.~+/=-]{20,}$/, 'must have at least 20 letters and digits');

export const proxies = z
  .string()
  .transform((value) => (/^\d+$/.test(value) ? Number(value) : listOf(value)))
  .refine((value) => typeof value === 'number' || value.every(isNetwork), {
    error:
      'must be the address of the web server in front, such as 127.0.0.1 or 10.0.0.0/8, several separated by commas; or how many there are, such as 1',
  });

export const recipients = z
  .string()
  .refine((value) => !/AGE-SECRET-KEY-/i.test(value), {
    error:
      'has a private key in it: take it off this machine, and write the public key, which begins with age1',
  })
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .refine((recipients) => recipients.length > 0 && recipients.every(isRecipient), {
    error: 'must be one or more public keys that begin with age1, separated by commas',
  });
