import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { claimMail } from '../src/server/store/contract/mail-jobs.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { nzMoment } from '../src/server/time/nz-time.ts';
import { makeDue } from './support/recurring.ts';
import { serve } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';
import { wrongBy } from './support/wrong-clocks.ts';

test('a server reminds staff by mail with links to their pages, once; REMINDERS=off ends all of it', async () => {
  const now = nzMoment('2026-11-17', '09:00');
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  await makeDue(store, 'morning:help', 'morning:contact');
  const late = await storeSubmission(store, { receivedAt: nzMoment('2026-11-12', '09:00') });
  const urgent = await storeSubmission(store, { receivedAt: nzMoment('2026-11-17', '07:30'), urgent: true });
  for (const claim of await claimMail(store, now, 10, 60_000, 'new')) await store.finishDelivery(claim, now);
  await store.close();
  const smtp = await startSmtp();
  const start = async (reminders: string) => {
    const server = await serve({
      ...{ DATA_DIR: dataDir, PUBLIC_URL: 'https://www.kowhai.example', REMINDERS: reminders },
      ...{ ...mailTo(smtp.port), MAIL_TO_ESCALATE: 'manager@trust.example' },
      ...wrongBy(now.getTime() - Date.now()),
    });
    return server;
  };
  expect(await (await start('off')).end()).toBe(0);
  expect(smtp.seen).toEqual([]);

  const server = await start('on');
  await expect.poll(() => smtp.accepted.length).toBe(3);
  expect(await server.end()).toBe(0);
  const mails = await Promise.all(smtp.accepted.map(({ raw }) => PostalMime.parse(raw)));
  const [morning, atOnce, toOthers] = mails.toSorted((a, b) =>
    `${a.subject} ${a.to?.[0]?.address}`.localeCompare(`${b.subject} ${b.to?.[0]?.address}`),
  );
  expect(morning?.subject).toBe('[Website] 1 request waits for an answer');
  expect(morning?.text).toMatch(
    new RegExp(`^https://www\\.kowhai\\.example/staff/${late}/[0-9a-f]{32}$`, 'm'),
  );
  expect(atOnce?.subject).toBe(`URGENT [Website] Nobody has taken request ${urgent}`);
  expect(toOthers?.subject).toBe(atOnce?.subject);
  const [own, others] = [atOnce, toOthers].map((mail) => /^https:\S+$/m.exec(mail?.text ?? '')?.[0]);
  expect(own?.slice(0, -32)).toBe(others?.slice(0, -32));
  expect(own).not.toBe(others);
  const recipients = [atOnce, toOthers].map((mail) => mail?.to?.map(({ address }) => address));
  expect(recipients).toEqual([['help@trust.example'], ['manager@trust.example']]);
  // Neither a key nor an address is in the log.
  expect(server.lines.join('\n')).not.toMatch(/\/staff\/|@trust\.example/);

  expect(await (await start('on')).end()).toBe(0);
  expect(smtp.seen).toHaveLength(3);
});
