import PostalMime, { type Email } from 'postal-mime';
import { expect, test } from 'vitest';
import { createStaffKeys } from '../src/server/staff/staff-key.ts';
import { claimMail } from '../src/server/store/contract/mail-jobs.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { sampleEntries } from './support/forms.ts';
import { serve, submitted } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import type { TestServer } from './support/server.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';
import { testSecret } from './support/tokens.ts';
import { wrongBy } from './support/wrong-clocks.ts';

/** Staff answer the person by a reply, and their mail program quotes the request’s mail in it. */

const site = 'https://www.trust.example';
const dayMs = 24 * 3_600_000;

async function prepare(dataDir = temporaryFolder()) {
  const smtp = await startSmtp();
  const env = {
    ...{ DATA_DIR: dataDir, PUBLIC_URL: site, ...mailTo(smtp.port) },
    MAIL_TO_HELP: 'help@trust.example, second@trust.example',
  };
  const start = (more: Record<string, string> = {}) => serve({ ...env, ...more });
  const mails = async (count: number) => {
    await expect.poll(() => smtp.accepted.length).toBeGreaterThanOrEqual(count);
    return Promise.all(
      smtp.accepted.map(async ({ to, raw }) => ({ to, raw, mail: await PostalMime.parse(raw) })),
    );
  };
  return { smtp, start, mails };
}

/** A request of somebody whom staff may answer by email. */
const askForHelp = (server: TestServer, need = 'Housing') =>
  submitted(server, 'help', [
    ...sampleEntries.help.filter(({ key }) => key !== 'SupportNeeded'),
    { key: 'Email', value: 'sample@visitor.example' },
    { key: 'SupportNeeded', value: [need] },
  ]);

const header = ({ headers }: Email, key: string) => headers.find((one) => one.key === key)?.value;

/** What mail programs put below a reply: Outlook the mail under its headers, Gmail behind “>”, and both its HTML as it is. */
function quote({ from, date, to, subject, text = '', html = '' }: Email): string {
  const head = `From: ${from?.name} <${from?.address}>\nSent: ${date}\nTo: ${to?.[0]?.address}\nSubject: ${subject}`;
  const line = `On ${date}, ${from?.name} <${from?.address}> wrote:`;
  return [
    `${head}\n\n${text}`,
    `${line}\n${text.replace(/^/gm, '> ')}`,
    `<div class="gmail_quote">${line}<blockquote>${html}</blockquote></div>`,
  ].join('\n\n');
}

const linkIn = ({ text = '' }: Email) => /https:\/\/www\.trust\.example(\/staff\/\S+)/.exec(text)?.[1] ?? '';

test('a quoted mail opens no page for staff: the link comes in a mail of its own, in the same thread', async () => {
  const { smtp, start, mails } = await prepare();
  const server = await start();
  for (const form of ['help', 'contact'] as const) {
    const before = smtp.accepted.length;
    const reference = form === 'help' ? await askForHelp(server) : await submitted(server, form);
    const [request] = (await mails(before + 1)).slice(before);
    if (!request) throw new Error('a mail is missing');
    expect(request.mail.replyTo).toMatchObject([{ address: 'sample@visitor.example' }]);
    expect(quote(request.mail)).toContain(reference);
    expect(quote(request.mail)).not.toContain('/staff/');
    expect(request.raw).not.toContain('/staff/');
    // Above the answers, in both.
    for (const body of [request.mail.text, request.mail.html])
      expect(body).toMatch(
        /Before you reply: delete everything that this email says. It repeats what they wrote\.(.|\n)*Kia ora/,
      );

    const [, link] = (await mails(before + 2)).slice(before);
    if (!link) throw new Error('a mail is missing');
    expect(linkIn(link.mail)).toMatch(new RegExp(`^/staff/${reference}/[0-9a-f]{32}$`));
    expect(header(link.mail, 'in-reply-to')).toBe(`<${reference}@trust.example>`);
    expect(header(link.mail, 'references')).toBe(request.mail.messageId);
    expect(link.mail.messageId).not.toBe(request.mail.messageId);
    // Some mail programs find a thread by its subject.
    expect(link.mail.subject).toBe(`Re: ${request.mail.subject}`);
    expect(link.mail.replyTo).toBeUndefined();
    expect(link.to).toEqual(request.to);
    expect(link.raw).not.toMatch(/visitor\.example|Sample|Kia ora/);
  }
  // Neither a key nor the person is in the log.
  expect(server.lines.join('\n')).not.toMatch(/\/staff\/\w{4}-|visitor\.example/);
});

test('each press is mailed to the mailbox of that form with the name, which the page shows to nobody else', async () => {
  const { start, mails } = await prepare();
  const server = await start();
  const reference = await askForHelp(server);
  const [request, link] = await mails(2);
  const path = link ? linkIn(link.mail) : '';
  const press = (fields: Record<string, string>) =>
    fetch(server.url + path, { method: 'POST', body: new URLSearchParams(fields) });

  const shown = await press({ step: 'taken', by: 'Zebedee' });
  expect(shown.url).toMatch(/\?now=taken&as=[0-9a-f]{18}$/);
  // Only who typed it finds it once more in the field, once.
  expect(await shown.text()).toContain('value="Zebedee"');
  const html = await (await fetch(shown.url)).text();
  expect(html).toContain('Somebody on your team has been on it since');
  // Another press of the same, and one of somebody who guesses: no mail, no name.
  await press({ step: 'taken', by: 'Zebedee' });
  expect(await (await press({ step: 'taken', by: 'Somebody' })).text()).not.toContain('Zebedee');
  const [taken] = (await mails(3)).slice(2);
  expect(html).not.toContain('Zebedee');
  expect(taken?.to).toEqual(request?.to);
  expect(taken?.mail.subject).toBe(`Re: ${request?.mail.subject}`);
  expect(header(taken?.mail as Email, 'in-reply-to')).toBe(`<${reference}@trust.example>`);
  expect(taken?.mail.replyTo).toBeUndefined();
  expect(taken?.mail.text).toMatch(/^Zebedee is on it\.$/m);
  expect(taken && linkIn(taken.mail)).toBe(path);
  expect(taken?.raw).not.toMatch(/visitor\.example|Sample|Kia ora/);
  expect(await server.end()).toBe(0);
  expect(server.lines.join('\n')).not.toMatch(/Zebedee|\/staff\/\w{4}-/);
});

test('a key ends seven days after the answer, and until then an undo works', async () => {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  const now = Date.now();
  const reference = await storeSubmission(store, { receivedAt: new Date(now - 8 * dayMs) });
  const claims = await claimMail(store, new Date(now), 10, 60_000, 'new');
  for (const claim of claims) await store.finishDelivery(claim, new Date(now - 8 * dayMs));
  await store.recordStep(reference, 'answered', 'AB', new Date(now - 6 * dayMs));
  await store.close();
  const path = createStaffKeys(testSecret).pathFor(reference);
  const { start } = await prepare(dataDir);

  const ask = async (url: string, fields?: Record<string, string>) => {
    const response = await fetch(url, fields ? { method: 'POST', body: new URLSearchParams(fields) } : {});
    const { date: _, connection: __, 'keep-alive': ___, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, body: await response.text() };
  };
  const later = await start(wrongBy(2 * dayMs));
  const wrong = await ask(`${later.url}/staff/${reference}/${'0'.repeat(32)}`);
  expect(wrong.status).toBe(404);
  const undo = { undo: 'answered', since: String(now - 6 * dayMs) };
  for (const fields of [undefined, undo, { step: 'answered', by: 'CD' }, {}])
    expect(await ask(later.url + path, fields)).toEqual(wrong);
  await later.end();

  const today = await start();
  expect((await ask(today.url + path)).body).toContain('Answered on');
  expect((await ask(today.url + path, undo)).body).toContain('That is undone. Nobody is on it yet.');
  // It is open again: its key does not end.
  await today.end();
  const much = await start(wrongBy(20 * dayMs));
  expect((await ask(much.url + path)).status).toBe(200);
});

test('a link that could not be mailed before the server was killed comes with the reminder', async () => {
  const { smtp, start, mails } = await prepare();
  smtp.script.END = ({ raw }) => (raw.includes('In-Reply-To') ? '451 later' : undefined);
  const server = await start();
  const reference = await askForHelp(server, 'Feeling unsafe at home');
  await expect.poll(() => smtp.seen.length).toBe(2);
  await server.end('SIGKILL');
  expect(smtp.accepted).toHaveLength(1);

  delete smtp.script.END;
  const later = await start({ REMINDERS: 'on', ...wrongBy(2 * 3_600_000) });
  const [, reminder] = await mails(2);
  expect(reminder && linkIn(reminder.mail)).toContain(`/staff/${reference}/`);
  expect(await later.end()).toBe(0);
});
