import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { addresses } from '../../../../test/support/stored-submissions.ts';
import { header, mailOf, receivedAt, stored } from '../../../../test/support/submission-mail.ts';
import type { Entry } from '../../../model/answers.ts';
import type { Doubt } from '../../../model/bot-verdict.ts';
import type { FormField } from '../../../model/form-field.ts';
import { writeMail } from '../mail.ts';
import { createSubmissionMail } from './submission-mail.ts';

test('the subject has the form’s name and the reference, and nothing of the person', async () => {
  const { mail } = await mailOf(stored('help'));
  expect(mail.subject).toBe('[Get Help] New request HK7W-3RQX');
  expect((await mailOf(stored('contact'))).mail.subject).toBe('[Contact Us] New message HK7W-3RQX');
});

test('a title with placeholders and language marks is plain text in the subject', async () => {
  const card = {
    page: 'help' as const,
    title: '{mi:Āwhina} from {organisation}',
    description: '',
    photo: '',
  };
  const site = { ...shippedContent.site, cards: [card] };
  const { subject, text } = createSubmissionMail(stored('help'), site, addresses, receivedAt);
  expect(subject).toBe('[Āwhina from Kōwhai Family Support Centre] New request HK7W-3RQX');
  expect(text).toContain('New request from the Āwhina from Kōwhai Family Support Centre form');
});

test('the mail goes from the site’s address to the form’s mailbox, and suppresses automatic replies', async () => {
  const { mail, envelope } = await mailOf(stored('contact'));
  expect(envelope).toEqual({ from: addresses.from, to: addresses.to.contact });
  expect(mail.from).toMatchObject({ address: addresses.from, name: 'Kōwhai Family Support Centre website' });
  expect(mail.to).toMatchObject([{ address: addresses.to.contact[0] }]);
  expect(mail.messageId).toBe('<HK7W-3RQX@trust.example>');
  expect(header(mail, 'auto-submitted')).toBe('auto-generated');
  expect(header(mail, 'x-auto-response-suppress')).toBe('All');
});

test('the mail has every question with its answer, the kind of help and the message first, and lists the questions without an answer', async () => {
  const { mail, raw } = await mailOf(stored('help'));
  const { text = '', html = '' } = mail;
  // Only a person who chose a call or a text is asked these.
  const hidden = ['CallTimes', 'OtherTimes', 'IfSomeoneAnswers'];
  expect(raw.toString()).toMatch(/text\/plain.*text\/html/s);
  for (const field of shippedContent.forms.help.definition) {
    if (hidden.includes(field.key)) continue;
    const question = field.type === 'textarea' ? field.description : field.displayName;
    expect(text).toContain(question);
    expect(html).toContain(question);
  }
  expect(text).toContain('First name\n    Hōne\n');
  expect(text).toMatch(/Housing\n {4}Counselling\n.*We need somewhere warm\..*First name/s);
  expect(text).toContain('    Housing\n    Counselling\n');
  for (const body of [text, html])
    expect(body).toContain('Not answered: Last name. Not ticked: I am asking for someone else.');
  expect((await mailOf(stored('help', { Subject: '', Message: ' ' }))).mail.text).toMatch(
    /\nNot answered: .*Subject, Message\./,
  );
  expect(text).toMatch(/Received: +Sunday,? 15 November 2026 at 3:10\spm \(New Zealand time\)/);
  expect(html).toContain('Hōne');
});

test('the bot check is mentioned only where it has a doubt', async () => {
  expect((await mailOf(stored('help'))).mail.text).not.toContain('bot check');
  const low = await mailOf(stored('help', {}, { verdict: { kind: 'low-score', score: 0.2 } }));
  expect(low.mail.text).toContain('was not sure that a person sent this. It gave 0.2');
  const unverified = await mailOf(stored('help', {}, { verdict: { kind: 'unverified' } }));
  expect(unverified.mail.html).toContain('the bot check could not be reached');
  const many = await mailOf(stored('help', {}, { verdict: { kind: 'many' } }));
  expect(many.mail.text).toContain('Many more forms than usual came from the same internet address');
  // A doubt that only version 1 knew.
  const verdict = { kind: 'no-script', doubts: ['quick', 'old'] as Doubt[] } as const;
  const stale = await mailOf(stored('help', {}, { verdict }));
  expect(stale.mail.text?.replace(/\s+/g, ' ')).toContain(
    'or a program. The page it was sent from is more than a day old.',
  );
});

test('only an urgent mail has the headers for urgency', async () => {
  const headersOf = async (urgent: boolean) => {
    const submission = stored('help');
    const { mail } = await mailOf({ ...submission, delivery: { ...submission.delivery, urgent } });
    return ['x-priority', 'priority', 'importance'].map((key) => header(mail, key));
  };
  expect(await headersOf(true)).toEqual(['1', 'urgent', 'high']);
  expect(await headersOf(false)).toEqual([undefined, undefined, undefined]);
});

test('an urgent mail says so in its subject and at the top, and the subject does not say why', async () => {
  const chosen = 'Feeling unsafe at home';
  const refusal = "Please don't contact me, I will contact you";
  const answers = { SupportNeeded: [chosen], SafeContact: [refusal] };
  const urgent = stored('help', answers);
  const { mail } = await mailOf({ ...urgent, delivery: { ...urgent.delivery, urgent: true } });
  expect(mail.subject).toBe('URGENT [Get Help] New request HK7W-3RQX');
  expect(mail.text).toMatch(
    /^=+\nURGENT\nThey chose “Feeling unsafe at home”\. Please read this one first\.\n=+\n/,
  );
  for (const body of [mail.text, mail.html]) expect(body).toMatch(/URGENT.*DO NOT CONTACT/s);
  const sealed = { ...urgent, answers: { sealed: 'x' }, delivery: { ...urgent.delivery, urgent: true } };
  expect((await mailOf(sealed)).mail.text).toContain('URGENT\nThey chose what your form calls urgent.');
});

test('several mailboxes get one mail', async () => {
  const both = ['help@trust.example', 'manager@trust.example'];
  const to = { ...addresses, to: { ...addresses.to, help: both } };
  const { envelope, raw } = await writeMail(
    createSubmissionMail(stored('help'), shippedContent.site, to, receivedAt),
  );
  expect(envelope.to).toEqual(both);
  expect((await PostalMime.parse(raw)).to?.map(({ address }) => address)).toEqual(both);
});

test('sealed answers are an attachment, and the mail shows none of them', async () => {
  const sealed = '-----BEGIN AGE ENCRYPTED FILE-----\nabc\n-----END AGE ENCRYPTED FILE-----\n';
  const { mail } = await mailOf(stored('help', {}, { answers: { sealed } }));
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['HK7W-3RQX.age']);
  const content = mail.attachments[0]?.content;
  expect(typeof content === 'string' ? content : new TextDecoder().decode(content)).toBe(sealed);
  expect(mail.replyTo).toBeUndefined();
  expect(mail.text).toMatch(/^=+\nDO NOT REPLY TO THIS EMAIL\.\n/);
  expect(mail.text).toContain('age --decrypt --identity FILE HK7W-3RQX.age');
  expect(mail.text).not.toContain('First name');
});

test('the mail says in which language it was written, and marks what was written freely', async () => {
  const { mail } = await mailOf(stored('help', { Message: 'Faafetai' }, { language: 'sm' }));
  expect(mail.text).toContain('Written on the page in: Samoan (sm)\nReference: ');
  expect(mail.html).toMatch(/<dd lang="sm" dir="auto"[^>]*>Faafetai<\/dd>/);
  // Choices are in the words of the original.
  expect(mail.html).toMatch(/<dd dir="auto"[^>]*>Housing\nCounselling<\/dd>/);
  const original = (await mailOf(stored('help'))).mail;
  expect(original.text).not.toContain('Written on the page');
  expect(original.html).toMatch(/<dd dir="auto"[^>]*>Hōne<\/dd>/);
});

test('the question with the urgent choices comes first, wherever the form asks it, whatever its key', async () => {
  const kind: FormField = {
    ...{ key: 'Kupu', type: 'checkbox', displayName: 'What for?', description: '', required: false },
    choices: ['Not safe', 'Other'],
    meanings: [{ choice: 'Not safe', means: 'urgent' }],
  };
  const others = shippedContent.forms.help.definition.filter(({ key }) => key !== 'SupportNeeded');
  for (const definition of [
    [kind, ...others],
    [...others, kind],
  ]) {
    const asked = stored('help', {}, { definition });
    const answers = [...(asked.answers as Entry[]), { key: kind.key, value: ['Other'] }];
    const { text = '' } = (await mailOf({ ...asked, answers })).mail;
    expect(text).toMatch(/New Zealand time\)\n\n(Before you reply.*\n\n)?What for\?\n {4}Other\n\nSubject\n/);
  }
});
