import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { startReceiver } from './support/alert-receiver.ts';
import { makeDue } from './support/recurring.ts';
import { serve } from './support/running-server.ts';
import { mailTo, type ScriptedSmtp, startSmtp } from './support/scripted-smtp.ts';
import { temporaryFolder } from './support/temporary.ts';

/** Whether a person reads a mailbox, and who hears if nobody seems to: the whole server, from outside. */

const day = 24 * 3_600_000;
const publicUrl = 'https://www.trust.example';
const monitorKey = '0123456789abcdef01234567';
const problem = /^nobody has shown since \d+ \w+ \d{4} that help@trust\.example is read$/;

/** A site that has run for a month. Somebody showed this long ago that each mailbox is read. */
async function prepare(lastShown: { help: number; contact: number }, env: Record<string, string> = {}) {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  const ago = (days: number) => new Date(Date.now() - days * day);
  for (const form of ['help', 'contact'] as const) {
    await store.recordTime(`mailbox ${form}`, ago(lastShown[form]));
    // Last Monday's letter is due at once.
    await makeDue(store, `letter:${form}`);
  }
  await store.recordTime('mailbox signs read', ago(0.01));
  await store.close();
  const smtp = await startSmtp();
  const server = await serve({
    DATA_DIR: dataDir,
    ...mailTo(smtp.port),
    MAIL_TO_ESCALATE: 'manager@elsewhere.example',
    PUBLIC_URL: publicUrl,
    MONITOR_KEY: monitorKey,
    TRUST_PROXY: '',
    WEEKLY_LETTER: 'on',
    ...env,
  });
  const health = async (key?: string) => {
    const headers = key ? { authorization: `Bearer ${key}` } : undefined;
    const response = await fetch(`${server.url}/health/deliveries`, headers ? { headers } : {});
    return { code: response.status, body: (await response.json()) as { problems?: string[] } };
  };
  return { smtp, server, health };
}

const mailsTo = (smtp: ScriptedSmtp, address: string) =>
  Promise.all(smtp.accepted.filter(({ to }) => to.includes(address)).map(({ raw }) => PostalMime.parse(raw)));

async function findLink(smtp: ScriptedSmtp, address: string): Promise<string> {
  await expect.poll(() => mailsTo(smtp, address)).toHaveLength(1);
  const [letter] = await mailsTo(smtp, address);
  const [link = '', ...more] = letter?.text?.match(/https:\/\/\S+/g) ?? [];
  expect(more).toEqual([]);
  expect(link).toMatch(/^https:\/\/www\.trust\.example\/staff\/letter\/\d{4}-\d\d-\d\d\/[0-9a-f]{32}$/);
  return link.replace(publicUrl, '');
}

test('a mailbox of which nobody shows for ten working days that it is read: others hear, until somebody presses', async () => {
  const receiver = await startReceiver();
  const { smtp, server, health } = await prepare({ help: 40, contact: 1 }, { ALERT_URL: receiver.url });
  await expect.poll(() => mailsTo(smtp, 'manager@elsewhere.example')).toHaveLength(1);
  const [told] = await mailsTo(smtp, 'manager@elsewhere.example');
  expect(told?.text).toMatch(/Nobody has shown since .* that help@trust\.example is read\./);
  await expect.poll(() => receiver.texts().join()).toMatch(/Nobody has shown since/);
  expect(receiver.texts().join()).not.toContain('@');
  expect(await health(monitorKey)).toMatchObject({
    code: 503,
    body: { problems: [expect.stringMatching(problem)] },
  });
  expect(await health()).toEqual({ code: 200, body: { status: 'in time' } });

  // The letter is a mail of its own for each mailbox, and opening its link shows nothing.
  const path = await findLink(smtp, 'help@trust.example');
  expect(await findLink(smtp, 'contact@trust.example')).not.toBe(path);
  const ask = (options: RequestInit = {}) => fetch(server.url + path, { redirect: 'manual', ...options });
  for (const method of ['GET', 'HEAD']) expect((await ask({ method })).status).toBe(200);
  expect(await (await ask()).text()).toContain('I have read this letter');
  const foreign = { 'sec-fetch-site': 'cross-site' };
  const body = new URLSearchParams();
  expect((await ask({ method: 'POST', body, headers: foreign })).status).toBe(403);
  expect((await health(monitorKey)).code).toBe(503);

  const pressed = await ask({ method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } });
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, `${path}?now=read`]);
  expect(await (await fetch(`${server.url}${path}?now=read`)).text()).toContain('reached a person');
  await expect.poll(async () => (await health(monitorKey)).body.problems).toBeUndefined();
  expect(server.lines.join('\n')).not.toMatch(/trust\.example is read|\/staff\/letter\/2/);
  expect(await mailsTo(smtp, 'manager@elsewhere.example')).toHaveLength(1);
});

test('where nobody can press, nothing is claimed', async () => {
  const { smtp, health } = await prepare({ help: 40, contact: 40 }, { WEEKLY_LETTER: 'off' });
  expect(await health(monitorKey)).toEqual({ code: 200, body: { status: 'in time' } });
  expect(smtp.accepted).toEqual([]);
});
