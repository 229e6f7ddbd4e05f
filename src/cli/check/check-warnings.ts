import { contactQuestionKeys, meaningsOf } from '../../model/choice-meanings.ts';
import { type Definition, type FormName, formNames } from '../../model/form-field.ts';
import { serverForms } from '../../model/server-forms.ts';
import type { Content } from '../../server/content/content.ts';
import { helplinesWarning } from '../../server/content/read-helplines.ts';
import { countUnread, mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { describeNobodyElse } from '../../server/delivery/reminders/mailboxes.ts';
import { describeOldRule } from '../../server/erasure/retention.ts';
import { describeExpired } from '../../server/files/certificate-file.ts';
import { explainNoProof } from '../../server/self-checks/proof-of-reading.ts';
import { describeSameMailbox, type Settings } from '../../server/settings/settings.ts';
import { formatDay } from '../../server/time/nz-time.ts';
import { findLongestBreak } from '../../server/time/working-days.ts';
import { describeBounces } from '../mail/mail-probe.ts';
import { explainUnread } from '../mail/unread-mail.ts';

/** Settings and content that are valid and may be unintended: one sentence each, or null. */
const findings: ((settings: Settings, content: Content, now: Date, unread: number) => string | null)[] = [
  ({ mail, dataDir }) =>
    mail.smtpUrl
      ? null
      : `SMTP_URL is not set: mail to staff is not sent, but written to ${mailFolderIn(dataDir)}. Somebody must look there.`,

  ({ mail }) => (mail.smtpUrl ? describeBounces(mail.bouncesTo) : null),

  (settings) => {
    const reason = settings.mail.smtpUrl ? explainNoProof(settings) : null;
    return reason && `Nobody would notice a mailbox that no person reads, because ${reason}.`;
  },

  ({ mail, dataDir }, _content, _now, unread) => {
    if (unread === 0) return null;
    const send = mail.smtpUrl ? ' They are in no mailbox: ./awhina deliveries retry --all mails them.' : '';
    return `${explainUnread(unread, mailFolderIn(dataDir))}.${send}`;
  },

  (settings) => describeOldRule(settings),

  // Of the old rule too: what came in before it would be erased before anybody is back.
  ({ retentionDays }, { site }, now) => {
    const { from, days } = findLongestBreak(now, site.closed);
    if (days <= retentionDays - 7) return null;
    return `nobody works for ${days} days from ${formatDay(from)} ${from.slice(0, 4)}, and RETENTION_DAYS is ${retentionDays}: what somebody saw just before is erased before they are back, or within a week of it. Answer it before, or set RETENTION_DAYS to more than ${days + 7}.`;
  },

  ({ mail }) => describeSameMailbox(mail),

  ({ mail }, _content, now) => describeExpired('SMTP_CA', mail.caExpiresAt, now),

  (settings) => describeNobodyElse(settings),

  ({ publicUrl }) => (publicUrl ? null : 'PUBLIC_URL is not set: the site does not know its own address.'),

  // All visitors would share the address of the proxy, and with it the quota of one client.
  ({ publicUrl, trustProxy }) =>
    publicUrl && trustProxy === undefined
      ? 'TRUST_PROXY is not set: behind a web server all visitors seem to have the same address. One who floods the site slows it for everybody, and after sixty forms in ten minutes each one is marked as possible junk. Set it to the address of that web server, such as 127.0.0.1.'
      : null,

  ({ recaptcha }) =>
    recaptcha
      ? 'reCAPTCHA is in use: visitors\' browsers talk to Google. Say so at "privacy" in site.yaml, which promises no cookies and no tracking.'
      : null,

  // Principle 3 of the Privacy Act: the notice must promise what the server does.
  ({ unseenRetentionDays, retentionDays }, { site: { privacy } }) => {
    const old = (['short', 'kept'] as const).filter((name) => !privacy[name].includes('{deleted}'));
    if (unseenRetentionDays === null || old.length === 0) return null;
    return `site.yaml: privacy › ${old.join(' and ')} does not say all that happens: a request is deleted ${retentionDays} days after your team last dealt with it, or ${unseenRetentionDays} days after it came in if nobody has seen it. Write {deleted} where your words say when: it becomes that sentence.`;
  },

  (_settings, { helplines }, now) => helplinesWarning(helplines, now),

  (_settings, { forms }) => {
    const canReply = (name: FormName) =>
      serverForms[name].mayReplyUnasked ||
      meaningsOf(forms[name].definition).some(({ means }) => means === 'email');
    const name = formNames.find((form) => !canReply(form));
    return name
      ? `forms/${name}.yaml: no choice means email, so staff can never reply to a ${serverForms[name].noun} by email.`
      : null;
  },

  (_settings, { forms }) => {
    const choices = formNames.flatMap((name) => withoutMeaning(forms[name].definition));
    if (choices.length === 0) return null;
    return `forms: nobody has said what these choices mean: ${choices.join('; ')}. Until then staff see them word for word and cannot reply. Write them as { label: Email, means: email, asks: Email }; help.yaml says which meanings there are.`;
  },
];

const effects: Record<string, string> = {
  call: 'a safe way',
  text: 'a safe way',
  email: 'a safe way; a reply goes to the visitor',
  post: 'a safe way',
  none: 'the mail says DO NOT CONTACT THIS PERSON',
  urgent: 'the mail says URGENT, and goes out first',
  time: 'when it is safe to call or text: the mail says so first',
  'no-message': 'the mail says to leave no message, and nothing about us to whoever answers',
};
const onlyWords = 'shown above the mail word for word, and no reply goes to the visitor';

/**
 * One line for each choice with a meaning. The wording is the trust's, and its meaning decides whom staff may call, so a
 * person should check it.
 */
export function describeChoices({ forms }: Content): string[] {
  return Object.values(forms).flatMap(({ definition }) => {
    const { meanings, contactKeys } = findMeanings(definition);
    return definition.flatMap((field) => [
      ...('means' in field && field.means ? [`${field.displayName}: ${questionEffects[field.means]}`] : []),
      ...(field.type === 'checkbox' ? field.choices : []).flatMap((choice) => {
        const means = meanings.find((one) => one.key === field.key && one.choice === choice)?.means ?? '';
        const effect = effects[means] ?? (contactKeys.includes(field.key) ? onlyWords : null);
        return effect === null ? [] : [`${choice}: ${effect}`];
      }),
    ]);
  });
}

const questionEffects = {
  forSomeoneElse: 'the mail says so at the top',
  safeTimes: 'the mail says it above the number',
};

function findMeanings(definition: Definition) {
  const meanings = meaningsOf(definition);
  return { meanings, contactKeys: contactQuestionKeys(meanings) };
}

/** Choices without a meaning, of the questions that say how a person may be reached. */
function withoutMeaning(definition: Definition): string[] {
  const { meanings, contactKeys } = findMeanings(definition);
  return definition.flatMap((field) =>
    field.type === 'checkbox' && contactKeys.includes(field.key)
      ? field.choices.filter(
          (choice) => !meanings.some((one) => one.key === field.key && one.choice === choice),
        )
      : [],
  );
}

export async function findWarnings(settings: Settings, content: Content, now: Date): Promise<string[]> {
  const unread = await countUnread(mailFolderIn(settings.dataDir));
  return findings.map((find) => find(settings, content, now, unread)).filter((warning) => warning !== null);
}
