import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readContent } from '../../server/content/content.ts';
import { createFolderTransport } from '../../server/delivery/folder/folder-transport.ts';
import { mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { siteSender } from '../../server/delivery/letter/mail-from.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import type { Mail } from '../../server/delivery/mail.ts';
import { readServer } from '../../server/delivery/smtp/smtp-session.ts';
import { createSmtpTransport } from '../../server/delivery/smtp/smtp-transport.ts';
import { isMailAddress } from '../../server/settings/setting-shapes.ts';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import { type Command, CommandFailed, UsageError } from '../command.ts';
import { createProgress, print, printJson, styled, symbolOf } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { describeBounces, describeProbe, probeMail, writeTestMail } from './mail-probe.ts';
import { createTestLinks, type TestLinks } from './test-links.ts';

export const testMailCommand: Command = {
  summary: 'send staff a test mail, and show step by step whether mail gets through and what to do if not',
  usage: `awhina test-mail [--to ADDRESS]... [--no-wait] [--json]

  --to ADDRESS   to this address, and not to those in MAIL_TO_HELP, MAIL_TO_CONTACT and MAIL_TO_ESCALATE
  --no-wait      put no link into the mail, and do not wait for a press
  --json         for programs; does not wait either

The mail says that it is a test. It takes the way that requests take. If PUBLIC_URL is set and the server runs, it
has a link, “Yes, it arrived”. The command then waits up to ten minutes until somebody has pressed it at each address.
Exit code 1 if the mail server refuses it for somebody, or if somebody does not press. Without
SMTP_URL no mail is sent to anybody: the test is a file, as each request is, and that counts as failed.`,
  asOwner: true,

  async run(args) {
    const options = {
      to: { type: 'string', multiple: true },
      'no-wait': { type: 'boolean' },
      json: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args, options });
    const settings = readSettings();
    const { mail, contentDir, publicUrl } = settings;
    const recipients = values.to ?? [...mail.to.help, ...mail.to.contact, ...mail.escalateTo];
    const wrong = recipients.find((address) => !isMailAddress(address));
    if (wrong !== undefined)
      throw new UsageError(`${terminalSafe(wrong)} is not an e-mail address: give one, without a name.`);
    // A mistake in the content must not prevent a test of the mail.
    const content = await readContent(contentDir).catch(() => null);
    const from = content ? siteSender(content.site, mail.from) : { name: 'The website', address: mail.from };
    const unique = [...new Set(recipients)];
    const json = values.json ?? false;
    if (!mail.smtpUrl) {
      const write = (to: string) => writeTestMail(from, to, new Date());
      return writeFiles(settings, unique, write, json);
    }
    const test = { url: mail.smtpUrl, mail, recipients: unique, from, json };
    if (!publicUrl) return sendTest(test, null, 'PUBLIC_URL is not set, so the mail has no link to press.');
    if (values['no-wait'] || json) return sendTest(test, null);
    return sendWithLinks(test);
  },
};

type Write = (to: string) => ReturnType<typeof writeTestMail>;

interface Test {
  url: string;
  mail: Settings['mail'];
  recipients: string[];
  from: Mail['from'];
  json: boolean;
}

/** Where the database or the secret of the site cannot be read, the mail goes without a link. */
async function sendWithLinks(test: Test): Promise<number> {
  let links: TestLinks | undefined;
  try {
    return await withStore(async (store, settings) => {
      links = createTestLinks(settings, store);
      return sendTest(test, links);
    });
  } catch (error) {
    if (links || !(error instanceof Error)) throw error;
    return sendTest(test, null, `The mail has no link to press. ${error.message}`);
  }
}

async function sendTest(test: Test, links: TestLinks | null, withoutLink = ''): Promise<number> {
  const { url, mail, recipients, from, json } = test;
  const { ca, bouncesTo } = mail;
  const smtp = createSmtpTransport({ url, from: mail.from, ca, bouncesTo });
  const progress = createProgress();
  progress.say(`Asking ${smtp.description} …`);
  const write = (to: string) => writeTestMail(from, to, new Date(), links?.linkFor(to));
  const result = await probeMail({ transport: smtp, recipients, write });
  progress.end();
  if (json) {
    printJson({ server: smtp.description, from: mail.from, bouncesTo, ...result });
    return result.ok ? 0 : 1;
  }
  print(styled('bold', terminalSafe(`${smtp.description}, from ${mail.from}`)));
  const { host, port } = readServer({ url, from: mail.from }).connection;
  for (const { ok, line, todo } of describeProbe(result, { host, port, from: bouncesTo })) {
    print(`${symbolOf(ok)} ${terminalSafe(line)}`);
    if (todo) print(`    ${todo}`);
  }
  print(`\n${terminalSafe(describeBounces(bouncesTo))}`);
  if (!result.ok) {
    print('Not everybody gets mail from the website. Fix what is marked, and run this again.');
    return 1;
  }
  print(
    'Proved: the mail server accepted it for everybody. Not proved: that a person has it. It may lie among junk, or in a mailbox that nobody opens.',
  );
  if (links) return (await links.waitForPresses()) ? 0 : 1;
  if (withoutLink) print(withoutLink);
  print('Now check that it arrived, and not as junk: the subject begins with [Website] Test.');
  return 0;
}

/** Without a mail server each test is a file, and the command fails: no mailbox gets a test. */
async function writeFiles(
  { dataDir }: Settings,
  recipients: string[],
  write: Write,
  json: boolean,
): Promise<number> {
  const folder = mailFolderIn(dataDir);
  const files: string[] = [];
  // The server could not write into a folder that root makes here.
  const isOurs = await stat(dataDir).then(
    ({ uid }) => uid === process.getuid?.(),
    () => false,
  );
  for (const to of isOurs ? recipients : []) {
    const mail = await write(to);
    const outcome = await createFolderTransport(folder).send(mail);
    if (!outcome.ok)
      throw new CommandFailed(`The test could not be written to ${folder}: ${outcome.reason}.`);
    files.push(join(folder, `${mail.name}.eml`));
  }
  if (json) {
    printJson({ ok: false, server: null, files });
    return 1;
  }
  print(`${symbolOf(false)} No mail was sent: SMTP_URL is not set, so there is no mail server.`);
  print(`    Each mail to staff is a file in ${folder} instead, and reaches nobody until somebody opens it.`);
  if (files.length > 0) print(`    This test is there too: ${files.map(terminalSafe).join(', ')}`);
  else print(`    This test is not: ${dataDir} is not there yet, or belongs to another user than you.`);
  print(
    '    To have mail sent, set SMTP_URL, MAIL_FROM, MAIL_TO_HELP and MAIL_TO_CONTACT, and run this again.',
  );
  return 1;
}
