import type { Content } from '../server/content/content.ts';
import { helplinesWarning } from '../server/content/helplines.ts';
import { findSafeContact } from '../server/delivery/safe-contact.ts';
import type { Settings } from '../server/settings.ts';

/** What works, and may still not be what was meant. Each looks at one thing and says it in one sentence, or nothing. */
const looks: ((settings: Settings, content: Content, now: Date) => string | null)[] = [
  ({ mail, dataDir }) =>
    mail.smtpUrl ? null : `SMTP_URL is not set: mail to staff is not sent, but written to ${dataDir}/mail.`,

  ({ publicUrl }) => (publicUrl ? null : 'PUBLIC_URL is not set: the site does not know its own address.'),

  // Its visitors would share the proxy's address, and with it one rate limit.
  ({ publicUrl, trustProxy }) =>
    publicUrl && trustProxy === undefined
      ? 'TRUST_PROXY is not set: behind a web server all visitors seem to be one, and one who sends junk closes the forms for everybody, for ten minutes. Set it to the address of that web server, such as 127.0.0.1.'
      : null,

  ({ recaptcha }) =>
    recaptcha
      ? 'reCAPTCHA is in use: visitors\' browsers talk to Google. Say so at "privacy" in site.yaml, which promises no cookies and no tracking.'
      : null,

  (_settings, { helplines }, now) => helplinesWarning(helplines, now),

  (_settings, { forms }) => {
    const safe = forms.help.definition.find(({ key }) => key === 'SafeContact');
    const choices = safe?.type === 'checkbox' ? safe.choices : [];
    const allowed = choices.some((choice) => {
      const found = findSafeContact({ form: 'help', answers: [{ key: 'SafeContact', value: [choice] }] });
      return found.kind === 'ways' && found.email;
    });
    return allowed
      ? null
      : "The help form has no SafeContact question with the choice 'Email': staff will never be able to reply to a request by email.";
  },
];

export function findWarnings(settings: Settings, content: Content, now: Date): string[] {
  return looks.map((look) => look(settings, content, now)).filter((warning) => warning !== null);
}
