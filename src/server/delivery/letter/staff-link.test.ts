import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { addresses } from '../../../../test/support/stored-submissions.ts';
import { receivedAt, stored, withSafeContact } from '../../../../test/support/submission-mail.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import type { SendOutcome } from '../mail-transport.ts';
import { createSendSubmission } from '../queue/send-submission.ts';

const url = 'https://trust.example/staff/HK7W-3RQX/0123456789abcdef0123456789abcdef';
const words = 'I’ll take this / I’ve answered';

async function mailOf(
  submission: StoredSubmission,
  staffLink?: (reference: string) => string,
  outcome: SendOutcome = { ok: true },
) {
  const followed: string[][] = [];
  let sent: Buffer | undefined;
  const send = createSendSubmission({
    transport: {
      description: 'a test',
      send: async ({ raw }) => {
        sent = raw;
        return outcome;
      },
    },
    site: () => shippedContent.site,
    addresses,
    staffLink,
    threadMails: {
      add: ({ kind, reference, compose }) => followed.push([kind, reference, compose(receivedAt).text]),
    },
    canaryTo: 'canary@trust.example',
    now: () => receivedAt,
  });
  await send(submission);
  const { text = '', html = '' } = await PostalMime.parse(sent ?? '');
  return { text, html, followed };
}
const linkTo = (reference: string) => url.replace('HK7W-3RQX', reference);

test.each([
  ['a request', stored('help', { SafeContact: ['Phone call'] })],
  ['a message without an address', stored('contact', { Email: '' })],
  ['a sealed request', stored('help', {}, { answers: { sealed: 'x' } })],
])('the mail about %s ends with one link, in text and HTML', async (_what, submission) => {
  const { text, html } = await mailOf(submission, linkTo);
  expect(text.trimEnd().endsWith(`\n\n${words}:\n${url}`)).toBe(true);
  expect(html.match(/<a /g)).toHaveLength(1);
  expect(html).toMatch(new RegExp(`<a href="${url}" [^>]*>${words}</a></p>\n</div>\n</div>\n</body>`));
});

test.each([
  ['a request', stored('help')],
  ['a message', stored('contact')],
])(
  'the mail about %s that may be answered by a reply has no link, and its link follows when it was accepted',
  async (_what, submission) => {
    const { text, html, followed } = await mailOf(submission, linkTo);
    expect(text + html).not.toContain('/staff/');
    expect(followed).toEqual([['link', 'HK7W-3RQX', expect.stringContaining(`${words}:\n${url}`)]]);
    expect(
      (await mailOf(submission, linkTo, { ok: false, permanent: false, reason: 'SMTP 451' })).followed,
    ).toEqual([]);
    expect((await mailOf(submission)).followed).toEqual([]);
  },
);

const otherAddresses = [
  'hone@visitor.example.',
  'Hōne <hone@visitor.example>',
  'a@b.example, c@d.example',
  'hōne@x.example',
];
const ownWords = { definition: withSafeContact({ choices: ['By email, after six'] }) };

test.each([
  ...otherAddresses.flatMap((Email) => [stored('help', { Email }), stored('contact', { Email })]),
  // No choice has a meaning: its words may allow an email.
  stored('help', { SafeContact: ['By email, after six'] }, ownWords),
])(
  'a mail that staff may answer with an email of their own has no link either, and what follows promises no reply (%#)',
  async (submission) => {
    const { text, html, followed } = await mailOf(submission, linkTo);
    expect(text + html).not.toContain('/staff/');
    expect(text).toMatch(/Before you reply: delete everything(.|\n)*We need somewhere|When are you open/);
    expect(followed).toEqual([['link', 'HK7W-3RQX', expect.stringContaining(`${words}:\n${url}`)]]);
    const [[, , link] = []] = followed;
    expect(link).toContain('does not reach the person who wrote');
    expect(link).not.toContain('To answer them, reply');
  },
);

test('without a page for staff the mail has no link', async () => {
  const { text, html } = await mailOf(stored('help'));
  expect(text).not.toContain(words);
  expect(html).not.toContain('<a ');
});

test('the canary’s mail has no link: nobody is to answer it', async () => {
  const { text, html, followed } = await mailOf({ ...stored('help'), canary: true }, linkTo);
  expect(followed).toEqual([]);
  expect(text).toContain('HK7W-3RQX');
  expect(text + html).not.toContain('/staff/');
});
