import { createHash } from 'node:crypto';
import type { BotCheckClient } from '../../model/bot-check-client.ts';
import { trustedTypesPolicy } from '../../model/page-data.ts';
import { shieldedSiteAddress } from '../../model/shielded-site.ts';

const googleFiles = 'https://www.gstatic.com';

export interface PolicyParts {
  /** The style sheet and the script that stand in the page itself. */
  css: string;
  early: string;
  botCheck: BotCheckClient;
  /** Whether the Women's Refuge portal may be shown in a frame. */
  shieldedSite: boolean;
}

/** Allows a style sheet or a script inside a page by a hash of its text. */
export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * What a page may do: run this site's scripts and the one inside it, use the one style sheet inside it, show this
 * site's pictures and talk to this site. Google is let in only where reCAPTCHA is the bot check, and then Trusted Types
 * stay out, because its script does not use them (docs/decisions/0013).
 */
export function contentPolicy({ css, early, botCheck, shieldedSite }: PolicyParts): string {
  const google = botCheck.kind === 'recaptcha' ? ` ${botCheck.url}` : '';
  const frames = google + (shieldedSite ? ` ${shieldedSiteAddress}` : '');
  const directives = [
    "default-src 'none'",
    `script-src 'self' ${hashSource(early)}${google && `${google} ${googleFiles}`}`,
    `style-src ${hashSource(css)}`,
    "img-src 'self'",
    `connect-src 'self'${google}`,
    "worker-src 'self'",
    ...(frames ? [`frame-src${frames}`] : []),
    "base-uri 'none'",
    // Before and without the script a form is posted by the browser itself, and only to this site.
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(google ? [] : [`trusted-types ${trustedTypesPolicy}`, "require-trusted-types-for 'script'"]),
  ];
  return directives.join('; ');
}

/** For a page in a file of its own: the style sheet and the logo inside it, and nothing else. */
export const alonePolicy = (css: string): string =>
  `default-src 'none'; style-src ${hashSource(css)}; img-src data:; base-uri 'none'; form-action 'none'`;
