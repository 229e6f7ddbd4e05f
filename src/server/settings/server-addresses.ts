import { z } from 'zod';
import { isLoopbackOrPrivate } from '../hardening/address-ranges.ts';
import { isLoopbackHost } from '../hardening/loopback-host.ts';
import { findTlsProblem } from '../store/postgres/connection.ts';

/** The settings that are addresses of servers. Some have a password in them, which no message repeats. */

export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be a web address, such as https://www.trust.example',
});
export const trimmedUrl = webAddress.transform((url) => url.replace(/\/+$/, ''));
// Pages, scripts and the links in mails are addresses from its root.
export const siteUrl = trimmedUrl.refine(
  (url) => /^https?:\/\/[^/?#@\\]+$/i.test(url),
  'must be the address of the whole site, without a path or a password, such as https://www.trust.example',
);

/** Whether each % is followed by the code of a character. A password often has a % that means nothing else. */
function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}
const strayPercent = 'has a % that stands for no character: write %25 for the % itself';
/** Otherwise half of the password is read as the name of the server, which the start and the log print. */
const inPassword = 'in the user and in the password write %40 for @, %2F for /, %23 for # and %3F for ?';

/** What names the server: it is printed and looked up, so a password that slips into it is told to everybody. */
const serverOf = (url: string): string => {
  const [, server = ''] = /^\w+:\/\/([^/?#]*)/.exec(url) ?? [];
  return server.slice(server.lastIndexOf('@') + 1);
};
const encodedServer =
  'has an encoded sign in the name of its server: write the : and the @ between user, password and server as they are';

/** Whether a part of it is left out in silence where it is read. */
const hasLineBreak = (url: string): boolean => /[\t\r\n]/.test(url);
const lineBreak =
  'has a tab or a line break in it: in the password write %09 for a tab, and %0A for a line break';

export const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
  .refine((url) => !hasLineBreak(url), lineBreak)
  // The folder of a socket is written %2Fvar%2Frun there.
  .refine((url) => !/%(40|3a)/i.test(serverOf(url)), encodedServer)
  .refine((url) => !/\/\/.*[/?#].*@/.test(url), `must have its @ right before the server: ${inPassword}`)
  .refine(URL.canParse, 'must be an address, such as postgres://user:password@host:5432/database')
  .refine(isDecodable, strayPercent)
  .superRefine((url, context) => {
    const message = URL.canParse(url) && isDecodable(url) ? findTlsProblem(url) : null;
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

export const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
  .refine((url) => !hasLineBreak(url), lineBreak)
  .refine((url) => !serverOf(url).includes('%'), encodedServer)
  .refine(
    (url) => !/^smtps?:\/\/:/.test(url),
    'has no user before its password: write smtp://user:password@mail.trust.example, or neither',
  )
  .refine(
    (url) => URL.canParse(url) && /^smtps?:\/\/([^@/?#]+@)?[^@/?#]+\/?$/.test(url),
    `must name one server and nothing behind it, such as smtp://user:password@mail.trust.example:587; ${inPassword}`,
  )
  .refine(isDecodable, strayPercent);

/** Whether the name or address of a host can only be one of this machine's own network: no public name ends so. */
function isNearby(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return (
    isLoopbackHost(address) ||
    isLoopbackOrPrivate(address) ||
    /^[^.:]+$|\.(local|internal|home\.arpa)$/.test(address)
  );
}

const isEncrypted = (url: string): boolean => {
  const { protocol, hostname = '' } = URL.parse(url) ?? {};
  return protocol === 'https:' || isNearby(hostname);
};
const unencrypted =
  'must begin with https://, or anybody on the way could see it; http:// is for your own network alone';
export const serviceUrl = trimmedUrl.refine(isEncrypted, unencrypted);
export const alertUrl = webAddress
  .refine((url) => {
    const { username, password } = URL.parse(url) ?? {};
    return !username && !password;
  }, 'must have no user and no password in it: ALERT_HEADERS is for them')
  .refine(isEncrypted, unencrypted);
