import { globSync } from 'node:fs';
import type { Content, Form } from '../server/content/content.ts';
import { helplinesWarning } from '../server/content/helplines.ts';
import { safeContactKey, understandChoice } from '../server/delivery/safe-contact.ts';
import type { Settings } from '../server/settings.ts';

/** What works, and may still not be what was meant. Each looks at one thing and says it in one sentence, or nothing. */
const looks: ((settings: Settings, content: Content, now: Date) => string | null)[] = [
  ({ mail, dataDir }) =>
    mail.smtpUrl
      ? null
      : `SMTP_URL is not set: mail to staff is not sent, but written to ${dataDir}/mail, where it counts as delivered. Somebody must look there.`,

  ({ mail, dataDir }) => {
    const count = mail.smtpUrl ? countMailFiles(`${dataDir}/mail`) : 0;
    if (count === 0) return null;
    const what = count === 1 ? '1 mail that was' : `${count} mails that were`;
    return `${dataDir}/mail holds ${what} written there and never sent. The files' names are references: npx awhina deliveries retry REFERENCE sends one to staff; then delete its file.`;
  },

  ({ publicUrl }) => (publicUrl ? null : 'PUBLIC_URL is not set: the site does not know its own address.'),

  // Its visitors would share the proxy's address, and with it what one client may do.
  ({ publicUrl, trustProxy }) =>
    publicUrl && trustProxy === undefined
      ? 'TRUST_PROXY is not set: behind a web server all visitors seem to be one. One who floods the site slows it for everybody, and after sixty forms in ten minutes staff are told of each that it may be junk. Set it to the address of that web server, such as 127.0.0.1.'
      : null,

  ({ recaptcha }) =>
    recaptcha
      ? 'reCAPTCHA is in use: visitors\' browsers talk to Google. Say so at "privacy" in site.yaml, which promises no cookies and no tracking.'
      : null,

  (_settings, { helplines }, now) => helplinesWarning(helplines, now),

  (_settings, { forms }) => {
    return safeContactChoices(forms.help).some((choice) => understandChoice(choice) === 'email')
      ? null
      : "The help form has no SafeContact question with the choice 'Email': staff will never be able to reply to a request by email.";
  },
];

const meanings = {
  email: 'a safe way; a reply goes to the visitor',
  way: 'a safe way',
  refusal: 'the mail says DO NOT CONTACT THIS PERSON',
  unclear: 'shown above the mail word for word, and no reply goes to the visitor',
} as const;

function safeContactChoices({ definition }: Form): string[] {
  const safe = definition.find(({ key }) => key === safeContactKey);
  return safe?.type === 'checkbox' ? [...safe.choices] : [];
}

/** One line a choice: the wording is the trust's, and what we make of it decides who is called and who is not. */
export function describeSafeContact({ forms }: Content): string[] {
  return safeContactChoices(forms.help).map((choice) => `${choice}: ${meanings[understandChoice(choice)]}`);
}

/** Those of requests; notices to staff have other names. */
function countMailFiles(folder: string): number {
  return globSync('????-????.eml', { cwd: folder }).length;
}

export function findWarnings(settings: Settings, content: Content, now: Date): string[] {
  return looks.map((look) => look(settings, content, now)).filter((warning) => warning !== null);
}
