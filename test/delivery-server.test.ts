import { expect, onTestFinished, test } from 'vitest';
import { workerDefaults } from '../src/server/delivery/queue/delivery-worker.ts';
import { openStore } from './support/each-store.ts';
import { sampleEntries } from './support/forms.ts';
import { mailTo, startScriptedSmtp } from './support/scripted-smtp.ts';
import { startServer } from './support/server.ts';
import { uploadForEver } from './support/slow-upload.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send } from './support/visitor.ts';

/** The whole way: a visitor's form, the server, a mail server. */
async function prepare() {
  const smtp = await startScriptedSmtp();
  const dataDir = temporaryFolder();
  const server = await startServer({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  onTestFinished(async () => {
    await server.end('SIGKILL');
    await smtp.close();
  });
  const submit = async (form: 'help' | 'contact') => {
    const receipt = await send(server.url, form, sampleEntries[form], await mintToken());
    if (!isReceipt(receipt)) throw new Error(`Not taken: ${receipt}`);
    return receipt.reference;
  };
  const inTime = async () => {
    const response = await fetch(`${server.url}/health/deliveries`);
    return { status: response.status, body: await response.json() };
  };
  return { smtp, dataDir, server, submit, inTime };
}

test('what a visitor sends is in the mailbox of its form', async () => {
  const { smtp, submit, inTime } = await prepare();
  await submit('help');
  await submit('contact');
  await expect.poll(() => smtp.accepted.length).toBe(2);
  expect(smtp.accepted.map(({ to }) => to[0]).toSorted()).toEqual([
    'contact@trust.example',
    'help@trust.example',
  ]);
  expect(await inTime()).toEqual({ status: 200, body: { status: 'in time' } });
});

test('a request that the mail server refuses fails the health check, with the reason', async () => {
  const { smtp, submit, inTime } = await prepare();
  smtp.script.RCPT = '550 5.1.1 no such mailbox';
  await submit('help');
  await expect.poll(inTime).toEqual({
    status: 503,
    body: { status: 'not in time', problems: ['1 request was refused by the mail server and is parked'] },
  });
});

test('SIGTERM waits for the mail that is being sent, and records that it was delivered', async () => {
  const { smtp, dataDir, server, submit } = await prepare();
  const answer = Promise.withResolvers<void>();
  smtp.hold = answer.promise;
  const reference = await submit('help');
  await expect.poll(() => smtp.seen.length).toBe(1);
  const ended = server.end('SIGTERM');
  await expect.poll(() => server.lines.join('\n')).toContain('"event":"closing"');
  answer.resolve();
  expect(await ended).toBe(0);
  const store = await openStore(dataDir);
  expect((await store.findSubmission(reference))?.delivery.deliveredAt).not.toBeNull();
});

test('after SIGTERM no further mail is begun, however long an upload takes', async () => {
  const { smtp, server, submit } = await prepare();
  const answer = Promise.withResolvers<void>();
  smtp.hold = answer.promise;
  const { concurrency } = workerDefaults;
  for (let sent = 0; sent <= concurrency; sent++) await submit('help');
  await expect.poll(() => smtp.seen.length).toBe(concurrency);
  await uploadForEver(server.url);
  const ended = server.end('SIGTERM');
  await expect.poll(() => server.lines.join('\n')).toContain('"event":"closing"');
  answer.resolve();
  expect(await ended).toBe(0);
  expect(smtp.seen.length).toBe(concurrency);
});

test('a start that fails sends nothing, and takes nothing from the queue', async () => {
  const { smtp, server } = await prepare();
  const dataDir = temporaryFolder();
  const store = await openStore(dataDir);
  const reference = await storeSubmission(store, { receivedAt: new Date() });

  const { port } = new URL(server.url);
  const again = startServer({ DATA_DIR: dataDir, PORT: port, ...mailTo(smtp.port) });
  await expect(again).rejects.toThrow('Set PORT to another one');
  expect(smtp.mostAtOnce).toBe(0);
  expect((await store.findSubmission(reference))?.delivery.attempts).toBe(0);
});
