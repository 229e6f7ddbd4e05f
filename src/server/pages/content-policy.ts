import { createHash } from 'node:crypto';
import type { BotCheckClient } from '../../model/bot-check.ts';
import { trustedTypesPolicy } from '../../model/page-data.ts';

const googleFiles = 'https://www.gstatic.com';

/**
 * What a page may do: run this site's scripts, use the one style sheet inside it, show this site's pictures and talk
 * to this site. Google is let in only where reCAPTCHA is the bot check, and then Trusted Types stay out, because its
 * script does not use them (docs/decisions/0013).
 */
export function contentPolicy(css: string, botCheck: BotCheckClient): string {
  const google = botCheck.kind === 'recaptcha' ? ` ${botCheck.url}` : '';
  const directives = [
    "default-src 'none'",
    `script-src 'self'${google && `${google} ${googleFiles}`}`,
    `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
    "img-src 'self'",
    `connect-src 'self'${google}`,
    "worker-src 'self'",
    ...(google ? [`frame-src${google}`] : []),
    "base-uri 'none'",
    // A form that a script does not send must not put its answers into an address.
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(google ? [] : [`trusted-types ${trustedTypesPolicy}`, "require-trusted-types-for 'script'"]),
  ];
  return directives.join('; ');
}
