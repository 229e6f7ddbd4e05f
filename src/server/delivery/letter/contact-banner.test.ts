import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { mailOf, stored, withSafeContact } from '../../../../test/support/submission-mail.ts';
import type { Answers, Entry } from '../../../model/answers.ts';

const refusal = "Please don't contact me, I will contact you";

test('a reply goes to the visitor only where they said that e-mail is safe', async () => {
  const replyTo = async (answers: Answers) =>
    (await mailOf(stored('help', answers))).mail.replyTo?.[0]?.address;
  expect(await replyTo({ SafeContact: ['Email'] })).toBe('hone@visitor.example');
  expect(await replyTo({ SafeContact: ['Phone call', 'Email'] })).toBe('hone@visitor.example');
  expect(await replyTo({ SafeContact: ['Phone call'] })).toBeUndefined();
  expect(await replyTo({ SafeContact: [] })).toBeUndefined();
  expect(await replyTo({ SafeContact: ['Email', refusal] })).toBeUndefined();
  expect(await replyTo({ SafeContact: ['Email'], Email: '' })).toBeUndefined();
  const { mail } = await mailOf(stored('contact'));
  expect(mail.replyTo?.[0]?.address).toBe('mere@visitor.example');
});

test('a help form without a question for safe ways allows no reply', async () => {
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
    /^=+\nCall or text this person\.\n(- .*\n)+Call or text:\n {4}021 000 000\nDO NOT EMAIL OR REPLY\.\nThey did not say that email is safe/,
  );
  expect(phone.mail.text).toContain('They chose “Phone call” and “Text message”. Please use no other way.');
  expect(phone.mail.html).toContain('DO NOT EMAIL OR REPLY.');
  const both = await mailOf(stored('help', { SafeContact: ['Phone call', 'Email'] }));
  expect(both.mail.text).toMatch(
    /^=+\nCall or email this person\.\n(- .*\n)+Call:\n {4}021 000 000\nEmail:\n {4}hone@visitor\.example\nA reply to this email goes to them\.\n/,
  );
  const none = await mailOf(stored('help', { SafeContact: [refusal] }));
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
  expect(html).toMatch(/ASKING FOR SOMEONE ELSE.*Call this person/s);
  // What the law asks does not stand before how to contact them.
  expect(text).toMatch(/not the one who needs help\.\n=+\n\n=+\nCall this person\..*principle 3A/s);
  expect((await mailOf(stored('help'))).mail.text).not.toContain('ASKING');
  // The form of an earlier version does not say so.
  const definition = shippedContent.forms.help.definition.map((field) => {
    if (field.type !== 'boolean') return field;
    const { means: _, ...rest } = field;
    return rest;
  });
  const older = (await mailOf(stored('help', asked, { definition }))).mail;
  expect(older.text).toMatch(/^=+\nCall this person\.\n/);
  expect(older.text).toContain('I am asking for someone else\n    Yes\n');
});

test('a message without an address to reply to says that a reply goes nowhere', async () => {
  const { mail } = await mailOf(stored('contact', { Email: 'not an email' }));
  expect(mail.replyTo).toBeUndefined();
  expect(mail.text).toMatch(/^=+\nA reply to this email does not reach them\.\n/);
  expect((await mailOf(stored('contact'))).mail.text).not.toContain('A reply');
});

test('a choice means what the content says, whatever its words', async () => {
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

test('without meanings the choices are quoted word for word, and there is no Reply-To', async () => {
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

test('a choice without a meaning is quoted beside those with one', async () => {
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

test('a way without its number is mentioned once, with what the visitor wrote instead', async () => {
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
    'They chose “Phone call” and “Text message”, but what they wrote is not a number that we can use:\n    banana\nPlease be ready',
  );
});

test('an address with a likely mistake gets no reply, and staff read what was probably meant', async () => {
  const meant = 'Perhaps they meant sample@gmail.com. We cannot be sure:';
  for (const Email of ['sample@gmail,com', 'sample@gmial', 'sample@gmial.com', 'sample@gmail.con']) {
    const help = (await mailOf(stored('help', { SafeContact: ['Email'], Email }))).mail;
    expect(help.replyTo).toBeUndefined();
    expect(help.text?.replace(/\s+/g, ' ')).toContain(
      `They chose “Email”, but what they wrote is not an email address that we can use: ${Email} ${meant}`,
    );
    const contact = (await mailOf(stored('contact', { Email }))).mail;
    expect(contact.replyTo).toBeUndefined();
    expect(contact.text).toMatch(/^=+\nA reply to this email does not reach them\.\n/);
    expect(contact.text?.replace(/\s+/g, ' ')).toContain(meant);
  }
  // Nothing is guessed of a number, nor where somebody must not be written to.
  for (const SafeContact of [['Phone call'], [refusal]])
    expect(
      (await mailOf(stored('help', { SafeContact, Email: 'sample@gmial.com' }))).mail.text,
    ).not.toContain('Perhaps');
});

test('an address with macrons, as .nz has them, can be answered', async () => {
  const { mail } = await mailOf(stored('contact', { Email: 'sample@kōwhai.example' }));
  expect(mail.replyTo?.[0]?.address).toBe(`sample@${domainToASCII('kōwhai.example')}`);
});

test('a form whose choices name no question uses the usual questions', async () => {
  const meanings = [
    { choice: 'Ring', means: 'call' },
    { choice: 'Write', means: 'email' },
    { choice: 'Neither', means: 'none' },
  ];
  const definition = withSafeContact({ choices: ['Ring', 'Write', 'Neither'], meanings });
  const textOf = async (SafeContact: string[], more = {}) =>
    (await mailOf(stored('help', { SafeContact, Phone: '021 000 0000', ...more }, { definition }))).mail.text;
  expect(await textOf(['Ring'])).toMatch(/^=+\nCall this person\.\n(- .*\n)+Call:\n {4}021 000 0000\n/);
  const refused = await textOf(['Neither']);
  for (const question of ['Phone', 'Email']) expect(refused).toContain(`${question} (DO NOT USE)`);
  expect(await textOf(['Write'], { Email: 'banana' })).toMatch(/^=+\nTHERE IS NO SAFE WAY/);
});

test('of two contradicting choices the mail follows the safer one, and quotes both', async () => {
  const { mail } = await mailOf(stored('help', { SafeContact: ['Phone call', refusal] }));
  expect(mail.text).toMatch(/^=+\nDO NOT CONTACT THIS PERSON\.\n/);
  expect(mail.text).toContain(`They chose “${refusal}”, and also “Phone call”. We go by the safer one.`);
  expect(mail.text).not.toContain('Please use no other way');
});

test('a message says that email may not be safe, in amber, with what to ask first', async () => {
  const { text, html } = (await mailOf(stored('contact'))).mail;
  expect(text).toMatch(
    /^=+\nThey were not asked if email is safe\.\nDo they ask for help, or sound afraid\?/,
  );
  expect(html).toContain('#ffe1a8');
  // Nor of an address that somebody corrects.
  const mistyped = (await mailOf(stored('contact', { Email: 'sample@gmail,com' }))).mail;
  expect(mistyped.text).toMatch(/^=+\nA reply to this email does not .*They were not asked/s);
  const without = (await mailOf(stored('contact', { Email: '' }))).mail;
  expect(without.text).not.toContain('They were not asked');
  // A trust whose form asks knows.
  const definition = [
    ...shippedContent.forms.contact.definition,
    ...shippedContent.forms.help.definition.filter(({ key }) => key === 'SafeContact'),
  ];
  const asked = stored('contact', {}, { definition });
  const answers = [...(asked.answers as Entry[]), { key: 'SafeContact', value: ['Email'] }];
  expect((await mailOf({ ...asked, answers })).mail.text).not.toContain('They were not asked');
});
