import { expect, test } from 'vitest';
import { type Answers, toEntries } from '../src/model/answers.ts';
import { createMessage } from '../src/server/delivery/message.ts';
import { shippedContent } from './support/forms.ts';
import { addresses, answered } from './support/kept-submissions.ts';

/** The mails as staff get them, whole: test/mails/ is to be read like a mailbox. */

const receivedAt = new Date('2026-11-15T02:10:49Z');
const refusal = "Please don't contact me, I will contact you";

const mails: Record<string, { answers: Answers; urgent?: true }> = {
  'safe-to-answer': { answers: {} },
  'no-number': { answers: { SafeContact: ['Phone call'], Phone: '' } },
  'urgent-do-not-contact': {
    answers: { SafeContact: ['Phone call', refusal], SupportNeeded: ['Feeling unsafe at home'] },
    urgent: true,
  },
};

test.each(Object.entries(mails))('%s reads as it should', async (name, { answers, urgent = false }) => {
  const { definition } = shippedContent.forms.help;
  const { subject, text, html } = createMessage(
    {
      id: 1,
      reference: 'HK7W-3RQX',
      form: 'help',
      definition,
      answers: toEntries(definition, { ...answered.help, ...answers }),
      verdict: { kind: 'clean' },
      receivedAt,
      delivery: {
        urgent,
        attempts: 1,
        nextAttemptAt: receivedAt,
        deliveredAt: null,
        parkedAt: null,
        lastError: null,
      },
    },
    shippedContent.site,
    addresses,
    receivedAt,
  );
  await expect(`Subject: ${subject}\n\n${text}`).toMatchFileSnapshot(`mails/${name}.txt`);
  await expect(html).toMatchFileSnapshot(`mails/${name}.html`);
});
