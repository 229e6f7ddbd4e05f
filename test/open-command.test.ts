import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { createSubmissionMail } from '../src/server/delivery/letter/submission-mail.ts';
import { writeMail } from '../src/server/delivery/mail.ts';
import { createSeal, generateKeyPair } from '../src/server/submissions/seal.ts';
import { awhina, awhinaShared } from './support/command.ts';
import { openStore } from './support/each-store.ts';
import { sampleEntries, shippedContent } from './support/forms.ts';
import { serve } from './support/running-server.ts';
import { addresses, answered, storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send } from './support/visitor.ts';

async function makeKey() {
  const { recipient, identity } = await generateKeyPair();
  const key = join(temporaryFolder(), 'key.txt');
  writeFileSync(key, `# for a test\n${identity}\n`);
  return { recipient, key };
}

/** A sealed mail as the server writes it, and what it would have said unsealed. */
async function sealedMail() {
  const { recipient, key } = await makeKey();
  const [sealedDir, openDir] = [temporaryFolder(), temporaryFolder()];
  const refusal = shippedContent.forms.help.definition.flatMap((field) =>
    field.type === 'checkbox' && field.key === 'SafeContact' ? field.choices : [],
  );
  const fields = sampleEntries.help.map((entry) =>
    entry.key === 'SafeContact' ? { ...entry, value: [refusal.at(-1)] } : entry,
  );
  const sendTo = async (env: Record<string, string>) => {
    const server = await serve(env);
    const receipt = await send(server.url, 'help', fields, await mintToken());
    if (!isReceipt(receipt)) throw new Error(`Not taken: ${receipt}`);
    const path = join(env.DATA_DIR ?? '', 'mail', `${receipt.reference}.eml`);
    await expect.poll(() => server.lines.join('\n')).toContain('"event":"mail accepted"');
    await server.end();
    return { path, mail: await PostalMime.parse(readFileSync(path)), reference: receipt.reference };
  };
  const sealed = await sendTo({ DATA_DIR: sealedDir, SEAL_TO: recipient });
  const open = await sendTo({ DATA_DIR: openDir });
  return { key, sealed, open };
}

test('a sealed mail, or its attachment alone, opens as the mail would have been', async () => {
  const { key, sealed, open } = await sealedMail();
  const [attachment] = sealed.mail.attachments;
  expect(attachment?.filename).toBe(`${sealed.reference}.age`);
  const file = join(temporaryFolder(), `${sealed.reference}.age`);
  writeFileSync(file, new Uint8Array(attachment?.content as ArrayBuffer));

  // But for its name and its minute, and what the form is called on the home page.
  const comparable = (text = '') =>
    text
      .replace(/^Received: .*$/m, '')
      .replaceAll(sealed.reference, open.reference)
      .replace('Get Help form', 'help form')
      .trim();
  for (const path of [file, sealed.path]) {
    const { code, out } = await awhinaShared(['open', path, '--identity', key]);
    expect(code).toBe(0);
    expect(out).toMatch(/^=+\nDO NOT CONTACT THIS PERSON\.\n/);
    expect(out).toMatch(/^Received: .*New Zealand time/m);
    expect(comparable(out)).toBe(comparable(open.mail.text));
  }
});

test('a mail that an earlier version sealed opens too, and says in doubt not to contact anybody', async () => {
  const { recipient, key } = await makeKey();
  const dataDir = temporaryFolder();
  const store = await openStore(dataDir);
  const reference = await storeSubmission(store, { receivedAt: new Date(), seal: createSeal([recipient]) });
  const submission = await store.findSubmission(reference);
  if (!submission) throw new Error('Not kept');
  const mail = createSubmissionMail(submission, shippedContent.site, addresses, new Date());
  const folder = join(dataDir, 'mails');
  mkdirSync(folder);
  const path = join(folder, 'any name.eml');
  writeFileSync(path, (await writeMail(mail)).raw);
  const { code, out } = await awhina(['open', path, '--identity', key]);
  expect(code).toBe(0);
  expect(out).toMatch(/^=+\nDO NOT REPLY BEFORE YOU HAVE READ THIS\.\n/);
  expect(out).toContain('They chose: “Email”. Do exactly as these words say, and nothing else.');
  expect(out).toContain(String(answered.help.FirstName));
  expect(out).toContain(`Reference: ${reference}`);
  expect(out).not.toContain('Received');

  // What show gives a program, and several in one file as a mail of those that were held back has them.
  const json = join(folder, 'one.json');
  writeFileSync(json, (await awhinaShared(['show', reference, '--json'], { DATA_DIR: dataDir })).out);
  const { sealed } = submission.answers as { sealed: string };
  const several = join(folder, 'sealed.txt');
  writeFileSync(several, `${reference}\n${sealed}\nHK7W-3RQX\n${sealed}`);
  expect((await awhinaShared(['open', json, '--identity', key])).out).toBe(out);
  const both = (await awhinaShared(['open', several, '--identity', key])).out;
  expect(both).toContain(reference);
  expect(both).toContain('HK7W-3RQX');
});

test('the wrong key, a file with nothing sealed and no key at all are each said in a sentence', async () => {
  const [{ recipient }, { key }] = [await makeKey(), await makeKey()];
  const file = join(temporaryFolder(), 'HK7W-3RQX.age');
  writeFileSync(file, (await createSeal([recipient])([])).sealed);
  const plain = join(temporaryFolder(), 'plain.eml');
  writeFileSync(plain, 'MIME-Version: 1.0\nSubject: Sample\n\nSample\n');
  expect(await awhinaShared(['open', file, '--identity', key])).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not open HK7W-3RQX.'),
  });
  expect((await awhinaShared(['open', plain, '--identity', key])).err).toContain('nothing sealed');
  expect((await awhinaShared(['open', file, '--identity', plain])).err).toContain('AGE-SECRET-KEY-1');
  expect((await awhinaShared(['open', file])).code).toBe(2);
});
