import { expect, test } from 'vitest';
import { workerDefaults } from '../src/server/delivery/queue/delivery-worker.ts';
import { openStore } from './support/each-store.ts';
import { healthOf, said, serve, submitted } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import { startServer } from './support/server.ts';
import { uploadForEver } from './support/slow-upload.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

/** The whole way: a visitor's form, the server, a mail server. */
async function prepare() {
  const smtp = await startSmtp();
  const dataDir = temporaryFolder();
  return { smtp, dataDir, server: await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) }) };
}

test('what a visitor sends is in the mailbox of its form, and what is refused fails the health check with the reason', async () => {
  const { smtp, server } = await prepare();
  await submitted(server, 'help');
  await submitted(server, 'contact');
  await expect.poll(() => smtp.accepted.length).toBe(2);
  const to = smtp.accepted.map((mail) => mail.to[0]).toSorted();
  expect(to).toEqual(['contact@trust.example', 'help@trust.example']);
  expect(await healthOf(server, 'deliveries')).toEqual([200, { status: 'in time' }]);

  smtp.script.RCPT = '550 5.1.1 no such mailbox';
  await submitted(server);
  const problems = ['1 request was refused by the mail server and is parked'];
  await expect.poll(() => healthOf(server, 'deliveries')).toEqual([503, { status: 'not in time', problems }]);
});

test('SIGTERM waits for the mail that is being sent, and records that it was delivered', async () => {
  const { smtp, dataDir, server } = await prepare();
  const answer = Promise.withResolvers<void>();
  smtp.hold = answer.promise;
  const reference = await submitted(server);
  await expect.poll(() => smtp.seen.length).toBe(1);
  const ended = server.end('SIGTERM');
  await expect.poll(() => said(server)).toContain('"event":"closing"');
  answer.resolve();
  expect(await ended).toBe(0);
  const store = await openStore(dataDir);
  expect((await store.findSubmission(reference))?.delivery.deliveredAt).not.toBeNull();
});

test('after SIGTERM no further mail is begun, however long an upload takes', async () => {
  const { smtp, server } = await prepare();
  const answer = Promise.withResolvers<void>();
  smtp.hold = answer.promise;
  const { concurrency } = workerDefaults;
  for (let sent = 0; sent <= concurrency; sent++) await submitted(server);
  await expect.poll(() => smtp.seen.length).toBe(concurrency);
  await uploadForEver(server.url);
  const ended = server.end('SIGTERM');
  await expect.poll(() => said(server)).toContain('"event":"closing"');
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
