import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { smtpTo, workerFor } from './support/delivery.ts';
import { openStore } from './support/each-store.ts';
import { createClock, storeSubmission } from './support/stored-submissions.ts';

/** What a mail server is asked to report, and to whom, where a mail that it accepted cannot be delivered. */

/** Delivers one request through a real mail server, and resolves to the envelope that it got. */
async function deliver({ offersReports, bouncesTo }: { offersReports: boolean; bouncesTo?: string }) {
  const envelopes: unknown[] = [];
  let raw = '';
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    hideDSN: !offersReports,
    onData(stream, session, done) {
      envelopes.push(JSON.parse(JSON.stringify(session.envelope)));
      stream.setEncoding('utf8').on('data', (chunk) => {
        raw += chunk;
      });
      stream.on('end', () => done());
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  const store = await openStore();
  const clock = createClock();
  const reference = await storeSubmission(store, { receivedAt: clock.now() });
  await workerFor(store, smtpTo(port, { bouncesTo }), clock.now).sendDue();
  expect(envelopes).toHaveLength(1);
  return { reference, envelope: envelopes[0], raw };
}

test('a mail server that offers reports is asked for failures alone, without the mail, by the reference', async () => {
  const { reference, envelope } = await deliver({ offersReports: true, bouncesTo: 'office@trust.example' });
  expect(envelope).toMatchObject({
    mailFrom: { address: 'office@trust.example' },
    dsn: { ret: 'HDRS', envid: reference },
    rcptTo: [{ address: 'help@trust.example', dsn: { notify: ['FAILURE'] } }],
  });
});

test('a mail server that offers none is asked for none, and gets the mail as it was written', async () => {
  const { reference, envelope, raw } = await deliver({ offersReports: false });
  expect(envelope).toMatchObject({
    mailFrom: { address: 'website@trust.example', args: false },
    rcptTo: [{ address: 'help@trust.example', args: false }],
  });
  expect(JSON.stringify(envelope)).not.toMatch(/RET|ENVID|NOTIFY/);
  const { subject, text } = await PostalMime.parse(raw);
  expect(subject).toBe(`[Get Help] New request ${reference}`);
  expect(text).toContain('We need somewhere warm.');
});
