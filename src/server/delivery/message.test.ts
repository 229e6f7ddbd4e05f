import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import { addresses, answered } from '../../../test/support/kept-submissions.ts';
import { type Answers, toEntries } from '../../model/answers.ts';
import type { FormName } from '../../model/form-field.ts';
import type { StoredSubmission } from '../submissions/stored-submission.ts';
import { writeMail } from './mail.ts';
import { createMessage } from './message.ts';
import { understandChoice } from './safe-contact.ts';

const receivedAt = new Date('2026-11-15T02:10:49Z');

function stored(
  form: FormName,
  answers: Answers = {},
  changes: Partial<StoredSubmission> = {},
): StoredSubmission {
  const { definition } = shippedContent.forms[form];
  return {
    id: 1,
    reference: 'HK7W-3RQX',
    form,
    definition,
    answers: toEntries(definition, { ...answered[form], ...answers }),
    verdict: { kind: 'clean' },
    receivedAt,
    delivery: { attempts: 1, nextAttemptAt: receivedAt, deliveredAt: null, parkedAt: null, lastError: null },
    ...changes,
  };
}

async function mailOf(submission: StoredSubmission) {
  const { raw, envelope } = await writeMail(
    createMessage(submission, shippedContent.site, addresses, receivedAt),
  );
  return { mail: await PostalMime.parse(raw), raw: raw.toString('latin1'), envelope };
}
const header = (mail: Awaited<ReturnType<typeof mailOf>>['mail'], key: string) =>
  mail.headers.find((one) => one.key === key)?.value;

test('the subject has the form’s name and the reference, and nothing of the person', async () => {
  const { mail } = await mailOf(stored('help'));
  expect(mail.subject).toBe('[Get Help] New request HK7W-3RQX');
  expect((await mailOf(stored('contact'))).mail.subject).toBe('[Contact Us] New message HK7W-3RQX');
});

test('a title with places to fill and words of another language is plain words in the subject', async () => {
  const card = {
    page: 'help' as const,
    title: '{mi:Āwhina} from {organisation}',
    description: '',
    photo: '',
  };
  const site = { ...shippedContent.site, cards: [card] };
  const { subject, text } = createMessage(stored('help'), site, addresses, receivedAt);
  expect(subject).toBe('[Āwhina from Kōwhai Family Support Centre] New request HK7W-3RQX');
  expect(text).toContain('New request from the Āwhina from Kōwhai Family Support Centre form');
});

test('it goes from the site’s own address to the form’s mailbox, and no machine answers it', async () => {
  const { mail, envelope } = await mailOf(stored('contact'));
  expect(envelope).toEqual({ from: addresses.from, to: [addresses.to.contact] });
  expect(mail.from).toMatchObject({ address: addresses.from, name: 'Kōwhai Family Support Centre website' });
  expect(mail.to).toMatchObject([{ address: addresses.to.contact }]);
  expect(mail.messageId).toBe('<HK7W-3RQX@trust.example>');
  expect(header(mail, 'auto-submitted')).toBe('auto-generated');
  expect(header(mail, 'x-auto-response-suppress')).toBe('All');
});

test('it has every question as it was asked, with its answer, also where there is none', async () => {
  const { mail, raw } = await mailOf(stored('help'));
  const { text = '', html = '' } = mail;
  expect(raw.indexOf('text/plain')).toBeLessThan(raw.indexOf('text/html'));
  for (const field of shippedContent.forms.help.definition) {
    const question = field.type === 'textarea' ? field.description : field.displayName;
    expect(text).toContain(`${question}\n`);
    expect(html).toContain(question);
  }
  expect(text).toContain('First name\n    Hōne\n\nLast name\n    (not answered)\n');
  expect(text).toContain('    Housing\n    Counselling\n');
  expect(text).toContain('I am asking for someone else\n    No\n');
  expect(text).toMatch(/Received: +Sunday,? 15 November 2026 at 3:10\spm \(New Zealand time\)/);
  expect(html).toContain('Hōne');
});

test('the bot check is mentioned only where it has something to say', async () => {
  expect((await mailOf(stored('help'))).mail.text).not.toContain('bot check');
  const low = await mailOf(stored('help', {}, { verdict: { kind: 'low-score', score: 0.2 } }));
  expect(low.mail.text).toContain('was not sure that a person sent this (0.2 on a scale');
  const unverified = await mailOf(stored('help', {}, { verdict: { kind: 'unverified' } }));
  expect(unverified.mail.html).toContain('The bot check could not be reached');
  const many = await mailOf(stored('help', {}, { verdict: { kind: 'many' } }));
  expect(many.mail.text).toContain('Unusually many forms came from the same internet address');
});

test('a reply goes to the visitor only where they said that e-mail is safe', async () => {
  const replyTo = async (answers: Answers) =>
    (await mailOf(stored('help', answers))).mail.replyTo?.[0]?.address;
  const refusal = "Please don't contact me, I will contact you";
  expect(await replyTo({ SafeContact: ['Email'] })).toBe('hone@visitor.example');
  expect(await replyTo({ SafeContact: ['Phone call', 'Email'] })).toBe('hone@visitor.example');
  expect(await replyTo({ SafeContact: ['Phone call'] })).toBeUndefined();
  expect(await replyTo({ SafeContact: [] })).toBeUndefined();
  expect(await replyTo({ SafeContact: ['Email', refusal] })).toBeUndefined();
  expect(await replyTo({ SafeContact: ['Email'], Email: '' })).toBeUndefined();
  const { mail } = await mailOf(stored('contact'));
  expect(mail.replyTo?.[0]?.address).toBe('mere@visitor.example');
});

test('a help form that no longer asks for safe ways allows none', async () => {
  const submission = stored('help');
  const answers = (submission.answers as { key: string }[]).filter(({ key }) => key !== 'SafeContact');
  const { mail } = await mailOf({ ...submission, answers: answers as never });
  expect(mail.replyTo).toBeUndefined();
  expect(mail.text).toContain('DO NOT REPLY TO OR EMAIL THIS PERSON.');
});

test('where it is not safe to answer, the mail begins with that', async () => {
  const phone = await mailOf(stored('help', { SafeContact: ['Phone call', 'Text message'] }));
  expect(phone.mail.text).toMatch(/^=+\nDO NOT REPLY TO OR EMAIL THIS PERSON\.\n/);
  expect(phone.mail.text).toContain('Safe ways to reach this person: Phone call, Text message.');
  expect(phone.mail.html).toContain('DO NOT REPLY TO OR EMAIL THIS PERSON.');
  const none = await mailOf(stored('help', { SafeContact: ["Please don't contact me, I will contact you"] }));
  expect(none.mail.text).toMatch(/^=+\nDO NOT CONTACT THIS PERSON\.\n/);
  expect((await mailOf(stored('help'))).mail.text).not.toContain('DO NOT');
  expect((await mailOf(stored('contact'))).mail.text).not.toContain('DO NOT');
});

test.each([
  ['refusal', "Please don't contact me, I will contact you"],
  ['refusal', 'Please don’t contact me. I’ll contact you when it is safe'],
  ['refusal', 'Do not contact me at all.'],
  ['refusal', 'Never reach out to me'],
  ['refusal', 'No contact, please'],
  ['refusal', 'It is not safe to contact me'],
  ['unclear', 'Phone call, but do not leave a message'],
  ['unclear', 'Text message (no pictures)'],
  ['unclear', 'Do not contact me at work'],
  ['unclear', 'Please don’t contact me, I will contact you, but you can text'],
  ['unclear', 'Do not call me'],
  ['unclear', 'I will contact you'],
  ['unclear', 'Nothing is safe'],
  ['unclear', 'Kaua e whakapā mai'],
  ['way', 'Phone call'],
  ['way', 'Text message, at any time'],
  ['way', 'A note at school'],
  ['email', 'By e-mail'],
])('as %s is understood: %s', (meaning, choice) => {
  expect(understandChoice(choice)).toBe(meaning);
});

test('a choice that could be misunderstood is shown word for word, and nothing is claimed about it', async () => {
  const choice = 'Phone call, but do not leave a message';
  const phone = (await mailOf(stored('help', { SafeContact: [choice, 'Text message'] }))).mail;
  expect(phone.text).not.toContain('DO NOT CONTACT THIS PERSON');
  expect(phone.text).toMatch(/^=+\nDO NOT REPLY TO OR EMAIL THIS PERSON\.\n/);
  expect(phone.text).toContain(`They chose: “${choice}”. Do exactly as these words say.`);
  expect(phone.text).toContain('Safe ways to reach this person: Text message.');
  expect(phone.html).toContain(`“${choice}”`);
  const both = (await mailOf(stored('help', { SafeContact: [choice, 'Email'] }))).mail;
  expect(both.text).toMatch(/^=+\nREAD THIS BEFORE YOU REACH THIS PERSON\.\n/);
  expect(both.text).not.toContain('They did not say that email is safe');
  expect(both.replyTo).toBeUndefined();
});

test('sealed answers travel as an attachment, and the mail says nothing of them', async () => {
  const sealed = '-----BEGIN AGE ENCRYPTED FILE-----\nabc\n-----END AGE ENCRYPTED FILE-----\n';
  const { mail } = await mailOf(stored('help', {}, { answers: { sealed } }));
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['HK7W-3RQX.age']);
  const content = mail.attachments[0]?.content;
  expect(typeof content === 'string' ? content : new TextDecoder().decode(content)).toBe(sealed);
  expect(mail.replyTo).toBeUndefined();
  expect(mail.text).toMatch(/^=+\nDO NOT REPLY TO THIS EMAIL\.\n/);
  expect(mail.text).toContain('npx awhina show HK7W-3RQX --identity FILE');
  expect(mail.text).not.toContain('First name');
});
