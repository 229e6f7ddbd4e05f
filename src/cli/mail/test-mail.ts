import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readContent } from '../../server/content/content.ts';
import { createFolderTransport } from '../../server/delivery/folder/folder-transport.ts';
import { mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { siteSender } from '../../server/delivery/letter/mail-from.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import { readServer } from '../../server/delivery/smtp/smtp-session.ts';
import { createSmtpTransport } from '../../server/delivery/smtp/smtp-transport.ts';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import { isMailAddress } from '../../server/settings/settings-schema.ts';
import { type Command, CommandFailed, UsageError } from '../command.ts';
import { createProgress, print, printJson, styled, symbolOf } from '../terminal.ts';
import { describeProbe, probeMail, writeTestMail } from './mail-probe.ts';

export const testMailCommand: Command = {
  summary: 'send staff a test mail, and show step by step whether mail gets through and what to do if not',
  usage: `awhina test-mail [--to ADDRESS]... [--json]

  --to ADDRESS   to this address, and not to those in MAIL_TO_HELP, MAIL_TO_CONTACT and MAIL_TO_ESCALATE

The mail says that it is a test and that nobody needs to do anything. It takes the way that requests take. Without
SMTP_URL no mail is sent to anybody: the test is a file, as each request is, and that counts as failed.`,
  asOwner: true,

  async run(args) {
    const options = { to: { type: 'string', multiple: true }, json: { type: 'boolean' } } as const;
    const { values } = parseArgs({ args, options });
    const settings = readSettings();
    const { mail, contentDir } = settings;
    const recipients = values.to ?? [...mail.to.help, ...mail.to.contact, ...mail.escalateTo];
    const wrong = recipients.find((address) => !isMailAddress(address));
    if (wrong !== undefined)
      throw new UsageError(`${terminalSafe(wrong)} is not an e-mail address: give one, without a name.`);
    // A mistake in the content must not prevent a test of the mail.
    const content = await readContent(contentDir).catch(() => null);
    const from = content ? siteSender(content.site, mail.from) : { name: 'The website', address: mail.from };
    const write = (to: string) => writeTestMail(from, to, new Date());
    const unique = [...new Set(recipients)];
    return mail.smtpUrl
      ? sendTest(mail.smtpUrl, mail, unique, write, values.json ?? false)
      : writeFiles(settings, unique, write, values.json ?? false);
  },
};

type Write = (to: string) => ReturnType<typeof writeTestMail>;

async function sendTest(
  url: string,
  { from, ca }: Settings['mail'],
  recipients: string[],
  write: Write,
  json: boolean,
) {
  const smtp = createSmtpTransport({ url, from, ca });
  const progress = createProgress();
  progress.say(`Asking ${smtp.description} …`);
  const result = await probeMail({ transport: smtp, recipients, write });
  progress.end();
  if (json) {
    printJson({ server: smtp.description, from, ...result });
    return result.ok ? 0 : 1;
  }
  print(styled('bold', terminalSafe(`${smtp.description}, from ${from}`)));
  const { host, port } = readServer({ url, from }).connection;
  for (const { ok, line, todo } of describeProbe(result, { host, port, from })) {
    print(`${symbolOf(ok)} ${terminalSafe(line)}`);
    if (todo) print(`    ${todo}`);
  }
  print(
    result.ok
      ? '\nThe mail server accepted it for everybody. Now check that it arrived, and not as junk: the subject begins with [Website] Test.'
      : '\nNot everybody gets mail from the website. Fix what is marked, and run this again.',
  );
  return result.ok ? 0 : 1;
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
