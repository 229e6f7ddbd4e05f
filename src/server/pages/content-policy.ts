import { createHash } from 'node:crypto';
import type { BotCheckClient } from '../../model/bot-check-client.ts';
import { trustedTypesPolicy } from '../../model/page-data.ts';
import { shieldedSiteAddress } from '../../model/shielded-site.ts';

const googleFiles = 'https://www.gstatic.com';

interface PolicyParts {
  /** The style sheet and the script inside the page. */
  css: string;
  early: string;
  /** Whether the page fetches more rules, as a form does. */
  laterStyles?: boolean;
  botCheck: BotCheckClient;
  /** Whether the Women's Refuge portal may be shown in a frame. */
  shieldedSite: boolean;
}

/** Allows a style sheet or a script inside a page by a hash of its text. */
export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Allows this site's scripts, pictures and addresses, and the one script and style sheet inside the page. Google is allowed
 * only where reCAPTCHA is the bot check, and then without Trusted Types, which its script does not use
 * (docs/decisions/0013).
 */
export function contentPolicy({ css, early, laterStyles, botCheck, shieldedSite }: PolicyParts): string {
  const google = botCheck.kind === 'recaptcha' ? ` ${botCheck.url}` : '';
  const frames = google + (shieldedSite ? ` ${shieldedSiteAddress}` : '');
  const directives = [
    "default-src 'none'",
    `script-src 'self' ${hashSource(early)}${google && `${google} ${googleFiles}`}`,
    `style-src ${hashSource(css)}${laterStyles ? " 'self'" : ''}`,
    "img-src 'self'",
    `connect-src 'self'${google}`,
    "worker-src 'self'",
    ...(frames ? [`frame-src${frames}`] : []),
    "base-uri 'none'",
    // Without the script the browser posts a form itself, and only to this site.
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(google ? [] : [`trusted-types ${trustedTypesPolicy}`, "require-trusted-types-for 'script'"]),
  ];
  return directives.join(';');
}

/** For the page for staff, which has no script: allows its style sheet, the logo, and its form. */
export const staffPolicy = (css: string): string =>
  `default-src 'none';style-src ${hashSource(css)};img-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'`;

/** For a page that is a file by itself: allows only the style sheet and the logo inside it. */
export const standalonePolicy = (css: string): string =>
  `default-src 'none'; style-src ${hashSource(css)}; img-src data:; base-uri 'none'; form-action 'none'`;
