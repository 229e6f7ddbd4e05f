import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { addresses, answered } from '../../../../test/support/kept-submissions.ts';
import { type Answers, type Entry, toEntries } from '../../../model/answers.ts';
import type { ChoiceMeaning, Definition, FormField, FormName } from '../../../model/form-field.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { writeMail } from '../mail.ts';
import { createSubmissionMail } from './submission-mail.ts';

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
    delivery: {
      urgent: false,
      attempts: 1,
      nextAttemptAt: receivedAt,
      deliveredAt: null,
      parkedAt: null,
      lastError: null,
    },
    ...changes,
  };
}

/** The shipped form with another question about safe ways. */
const withSafeContact = (changes: { choices: string[]; meanings?: ChoiceMeaning[] }): Definition =>
  shippedContent.forms.help.definition.map((field) => {
    if (field.key !== 'SafeContact' || field.type !== 'checkbox') return field;
    const { meanings: _, ...rest } = field;
    return { ...rest, ...changes };
  });

async function mailOf(submission: StoredSubmission) {
  const { raw, envelope } = await writeMail(
    createSubmissionMail(submission, shippedContent.site, addresses, receivedAt),
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
  const { subject, text } = createSubmissionMail(stored('help'), site, addresses, receivedAt);
  expect(subject).toBe('[Āwhina from Kōwhai Family Support Centre] New request HK7W-3RQX');
  expect(text).toContain('New request from the Āwhina from Kōwhai Family Support Centre form');
});

test('it goes from the site’s own address to the form’s mailbox, and no machine answers it', async () => {
  const { mail, envelope } = await mailOf(stored('contact'));
  expect(envelope).toEqual({ from: addresses.from, to: addresses.to.contact });
  expect(mail.from).toMatchObject({ address: addresses.from, name: 'Kōwhai Family Support Centre website' });
  expect(mail.to).toMatchObject([{ address: addresses.to.contact[0] }]);
  expect(mail.messageId).toBe('<HK7W-3RQX@trust.example>');
  expect(header(mail, 'auto-submitted')).toBe('auto-generated');
  expect(header(mail, 'x-auto-response-suppress')).toBe('All');
});

test('it has every question as it was asked with its answer, the message first, and names those without one', async () => {
  const { mail, raw } = await mailOf(stored('help'));
  const { text = '', html = '' } = mail;
  expect(raw.indexOf('text/plain')).toBeLessThan(raw.indexOf('text/html'));
  for (const field of shippedContent.forms.help.definition) {
    const question = field.type === 'textarea' ? field.description : field.displayName;
    expect(text).toContain(question);
    expect(html).toContain(question);
  }
  expect(text).toContain('First name\n    Hōne\n');
  expect(text.indexOf('We need somewhere warm.')).toBeLessThan(text.indexOf('First name'));
  expect(text).toContain('    Housing\n    Counselling\n');
  for (const body of [text, html])
    expect(body).toContain('Not answered: Last name. Not ticked: I am asking for someone else.');
  expect((await mailOf(stored('help', { Subject: '', Message: ' ' }))).mail.text).toMatch(
    /\nNot answered: .*Subject, Message\./,
  );
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
  expect(mail.text).toMatch(/^=+\nDO NOT EMAIL OR REPLY\.\nThey did not say that email is safe/);
  expect(mail.text).toContain('Email (DO NOT USE: not chosen as safe)\n    hone@visitor.example');
});

const red = '#b3141d';

test('the mail begins with what to do, the number it needs, and what not to do', async () => {
  const phone = await mailOf(stored('help', { SafeContact: ['Phone call', 'Text message'] }));
  expect(phone.mail.text).toMatch(
    /^=+\nCall or text this person:\n {4}021 000 000\nDO NOT EMAIL OR REPLY\.\nThey did not say that email is safe/,
  );
  expect(phone.mail.text).toContain('They chose “Phone call” and “Text message”. Please use no other way.');
  expect(phone.mail.html).toContain('DO NOT EMAIL OR REPLY.');
  const both = await mailOf(stored('help', { SafeContact: ['Phone call', 'Email'] }));
  expect(both.mail.text).toMatch(
    /^=+\nCall or email this person\.\nCall:\n {4}021 000 000\nEmail:\n {4}hone@visitor\.example\nA reply to this email goes to them\.\n/,
  );
  const none = await mailOf(stored('help', { SafeContact: ["Please don't contact me, I will contact you"] }));
  expect(none.mail.text).toMatch(/^=+\nDO NOT CONTACT THIS PERSON\.\n/);
  // Red is for this one alone.
  expect(none.mail.html).toContain(red);
  expect((await mailOf(stored('contact'))).mail.text).not.toContain('DO NOT');
  for (const { mail } of [phone, both, await mailOf(stored('help', {}, { answers: { sealed: 'x' } }))])
    expect(mail.html).not.toContain(red);
});

test('a number or an address that was not chosen as safe is marked beside it', async () => {
  const marked = async (answers: Answers) =>
    [...((await mailOf(stored('help', answers))).mail.text ?? '').matchAll(/^(\w+) \(DO NOT USE/gm)].map(
      ([, question]) => question,
    );
  const refusal = "Please don't contact me, I will contact you";
  expect(await marked({ SafeContact: ['Email'] })).toEqual(['Phone']);
  expect(await marked({ SafeContact: ['Text message'] })).toEqual(['Email']);
  expect(await marked({ SafeContact: ['Phone call', 'Email'] })).toEqual([]);
  expect((await marked({ SafeContact: ['Phone call', 'Email', refusal] })).toSorted()).toEqual([
    'Email',
    'Phone',
  ]);
  expect((await mailOf(stored('contact'))).mail.text).not.toContain('DO NOT USE');
});

test('somebody who asks for another person is named at the top, where the form says which question that is', async () => {
  const asked = { ForSomeoneElse: true, SafeContact: ['Phone call'] };
  const { text, html } = (await mailOf(stored('help', asked))).mail;
  expect(text).toMatch(/^=+\nASKING FOR SOMEONE ELSE\nThey ticked “I am asking for someone else”\./);
  expect(html?.indexOf('ASKING FOR SOMEONE ELSE')).toBeLessThan(html?.indexOf('Call this person') ?? 0);
  expect((await mailOf(stored('help'))).mail.text).not.toContain('ASKING');
  // The form of an earlier version does not say so.
  const definition = shippedContent.forms.help.definition.map((field) => {
    if (field.type !== 'boolean') return field;
    const { means: _, ...rest } = field;
    return rest;
  });
  const older = (await mailOf(stored('help', asked, { definition }))).mail;
  expect(older.text).toMatch(/^=+\nCall this person:\n/);
  expect(older.text).toContain('I am asking for someone else\n    Yes\n');
});

test('when it is safe stands beside the number', async () => {
  const when: FormField = {
    key: 'When',
    type: 'text',
    displayName: 'When is it safe?',
    description: '',
    required: false,
    means: 'safeTimes',
  };
  const definition = [...shippedContent.forms.help.definition, when];
  const submission = stored('help', { SafeContact: ['Phone call'] }, { definition });
  const answers = [...(submission.answers as Entry[]), { key: 'When', value: 'Tuesday mornings' }];
  expect((await mailOf({ ...submission, answers })).mail.text).toMatch(
    /^=+\nCall this person:\n {4}021 000 000\nWhen it is safe:\n {4}Tuesday mornings\nDO NOT EMAIL/,
  );
});

test('a message without an address to reply to says that a reply goes nowhere', async () => {
  const { mail } = await mailOf(stored('contact', { Email: 'not an email' }));
  expect(mail.replyTo).toBeUndefined();
  expect(mail.text).toMatch(/^=+\nA reply to this email does not reach them\.\n/);
  expect((await mailOf(stored('contact'))).mail.text).not.toContain('A reply');
});

test('an urgent one has the headers by which mailboxes set it apart, and no other has', async () => {
  const headersOf = async (urgent: boolean) => {
    const submission = stored('help');
    const { mail } = await mailOf({ ...submission, delivery: { ...submission.delivery, urgent } });
    return ['x-priority', 'priority', 'importance'].map((key) => header(mail, key));
  };
  expect(await headersOf(true)).toEqual(['1', 'urgent', 'high']);
  expect(await headersOf(false)).toEqual([undefined, undefined, undefined]);
});

test('an urgent one says so in its subject and above everything else, and the subject not why', async () => {
  const chosen = 'Feeling unsafe at home';
  const refusal = "Please don't contact me, I will contact you";
  const answers = { SupportNeeded: [chosen], SafeContact: [refusal] };
  const urgent = stored('help', answers);
  const { mail } = await mailOf({ ...urgent, delivery: { ...urgent.delivery, urgent: true } });
  expect(mail.subject).toBe('URGENT [Get Help] New request HK7W-3RQX');
  expect(mail.text).toMatch(
    /^=+\nURGENT\nThey chose “Feeling unsafe at home”\. Please read this one first\.\n=+\n/,
  );
  expect(mail.text?.indexOf('URGENT')).toBeLessThan(mail.text?.indexOf('DO NOT CONTACT') ?? 0);
  expect(mail.html).toContain('>URGENT<');
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

test('what a choice means is what the content says, in any words', async () => {
  const email = { choice: 'Īmēra', means: 'email', asks: 'Email' };
  const none = { choice: 'Kaua e whakapā mai', means: 'none' };
  const choices = ['Īmēra', 'Kaua e whakapā mai', 'Email'];
  const submission = (chosen: string[]) =>
    stored(
      'help',
      { SafeContact: chosen },
      { definition: withSafeContact({ choices, meanings: [email, none] }) },
    );
  expect((await mailOf(submission(['Īmēra']))).mail.replyTo?.[0]?.address).toBe('hone@visitor.example');
  expect((await mailOf(submission(['Kaua e whakapā mai']))).mail.text).toMatch(
    /^=+\nDO NOT CONTACT THIS PERSON\.\n/,
  );
  // Nobody wrote down that this one means e-mail.
  expect((await mailOf(submission(['Email']))).mail.replyTo).toBeUndefined();
});

test('without meanings nothing is guessed: the choices are shown word for word, and no reply goes out', async () => {
  const choices = ['Email', 'Please don’t contact me'];
  for (const choice of choices) {
    const definition = withSafeContact({ choices });
    const { mail } = await mailOf(stored('help', { SafeContact: [choice] }, { definition }));
    expect(mail.replyTo).toBeUndefined();
    expect(mail.text).toMatch(/^=+\nDO NOT REPLY BEFORE YOU HAVE READ THIS\.\n/);
    expect(mail.text).toContain(`They chose: “${choice}”. Do exactly as these words say, and nothing else.`);
    // Whether they said that email is safe, nobody knows but who reads their words.
    for (const claim of ['Please use no other way', 'did not say', 'DO NOT EMAIL'])
      expect(mail.text).not.toContain(claim);
  }
});

test('a choice that is only its words is quoted beside those that mean something', async () => {
  const words = 'Through my social worker';
  const definition = withSafeContact({
    choices: [words, 'Email'],
    meanings: [{ choice: 'Email', means: 'email' }],
  });
  const { mail } = await mailOf(stored('help', { SafeContact: [words, 'Email'] }, { definition }));
  expect(mail.text).toMatch(/^=+\nREAD THIS BEFORE YOU REACH THIS PERSON\.\n/);
  expect(mail.text).toContain('They also chose “Email”.');
  expect(mail.text).toContain('A reply to this email does not reach them.');
  expect(mail.html).toContain(`“${words}”`);
  expect(mail.replyTo).toBeUndefined();
});

test('a way without the number it needs is said once, with what they wrote instead', async () => {
  const call = await mailOf(stored('help', { SafeContact: ['Phone call', 'Email'], Phone: ' ' }));
  expect(call.mail.text).toContain('They also chose “Phone call”, but did not give a number.');
  expect(call.mail.text).not.toContain('NO SAFE WAY');
  const neither = { SafeContact: ['Text message', 'Email'], Phone: '', Email: '' };
  const { text, html } = (await mailOf(stored('help', neither))).mail;
  expect(text).toMatch(/^=+\nTHERE IS NO SAFE WAY TO REACH THIS PERSON\.\n/);
  expect(text).toContain('They chose “Text message”, but did not give a number.');
  expect(text).toContain('They chose “Email”, but did not give an email address.');
  expect(html).toContain('THERE IS NO SAFE WAY TO REACH THIS PERSON.');
  const banana = { SafeContact: ['Phone call', 'Text message'], Phone: 'banana' };
  expect((await mailOf(stored('help', banana))).mail.text).toContain(
    'They chose “Phone call” and “Text message”, but what they wrote is not a number:\n    banana\nPlease be ready',
  );
});

test('a form whose choices do not say what they ask means the usual questions', async () => {
  const meanings = [
    { choice: 'Ring', means: 'call' },
    { choice: 'Write', means: 'email' },
    { choice: 'Neither', means: 'none' },
  ];
  const definition = withSafeContact({ choices: ['Ring', 'Write', 'Neither'], meanings });
  const textOf = async (SafeContact: string[], more = {}) =>
    (await mailOf(stored('help', { SafeContact, Phone: '000 000 0000', ...more }, { definition }))).mail.text;
  expect(await textOf(['Ring'])).toMatch(/^=+\nCall this person:\n {4}000 000 0000\n/);
  const refused = await textOf(['Neither']);
  for (const question of ['Phone', 'Email']) expect(refused).toContain(`${question} (DO NOT USE)`);
  expect(await textOf(['Write'], { Email: 'banana' })).toMatch(/^=+\nTHERE IS NO SAFE WAY/);
});

test('of two choices that contradict each other the mail takes the safer one, and quotes both', async () => {
  const refusal = "Please don't contact me, I will contact you";
  const { mail } = await mailOf(stored('help', { SafeContact: ['Phone call', refusal] }));
  expect(mail.text).toMatch(/^=+\nDO NOT CONTACT THIS PERSON\.\n/);
  expect(mail.text).toContain(`They chose “${refusal}”, and also “Phone call”. We go by the safer one.`);
  expect(mail.text).not.toContain('Please use no other way');
});

test('sealed answers travel as an attachment, and the mail says nothing of them', async () => {
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
