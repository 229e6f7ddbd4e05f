import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../../test/support/delivery.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { startScriptedSmtp, type Taken } from '../../../../test/support/scripted-smtp.ts';
import { addresses, createClock } from '../../../../test/support/stored-submissions.ts';
import { stored } from '../../../../test/support/submission-mail.ts';
import type { Letter } from '../letter/letter.ts';
import { createSendSubmission } from '../queue/send-submission.ts';
import { createRefusals } from './refusals.ts';
import { sendNotice } from './send-notice.ts';
import { createTellOthers } from './tell-others.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const manager = 'manager@elsewhere.example';
const letter: Letter = { title: 'HK7W-3RQX waits', banners: [], facts: [], answers: [], notes: ['Kia ora'] };
const isForTeam = ({ to }: Taken) => to.some((one) => one.toLowerCase() === 'help@trust.example');

async function prepare() {
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  const { log, lines } = collectLog();
  const clock = createClock('2026-11-17T00:00:00Z');
  const { now } = clock;
  const base = { transport: smtpTo(smtp.port), site: () => shippedContent.site, addresses, now, log };
  const refusals = createRefusals(now);
  // As somebody typed it in the settings.
  const escalateTo = ['Manager@Elsewhere.example'];
  const alerts: string[] = [];
  const { tellOthers } = createTellOthers({
    ...base,
    hasMailServer: true,
    refusals: refusals.silent,
    escalateTo,
    async post({ text }) {
      alerts.push(text);
      return null;
    },
  });
  const mailing = { ...base, refusals: refusals.telling(tellOthers, escalateTo) };
  const send = (to = ['help@trust.example']) => sendNotice(mailing, { letter, name: 'notice', to });
  const told = () => smtp.accepted.filter(({ to }) => to.join().toLowerCase() === manager);
  /** The mail of a request itself. */
  const sendRequest = () => createSendSubmission(mailing)(stored('help'));
  /** The server refuses for good what is for the team. */
  const refuse = () => {
    smtp.script.END = (mail) => (isForTeam(mail) ? '554 5.7.1 no' : undefined);
  };
  return { smtp, clock, refuse, send, sendRequest, told, alerts, lines, findProblem: refusals.findProblem };
}

test('a mail that is refused twice is a problem until one is accepted again, and others are told once each time', async () => {
  const { smtp, clock, refuse, send, told, findProblem } = await prepare();
  expect(await send()).toMatchObject({ ok: true });
  expect(findProblem()).toBeNull();
  refuse();
  // Staff and others in one mail: others are told by themselves.
  expect(await send(['help@trust.example', manager])).toMatchObject({ ok: false, permanent: true });
  expect(findProblem()).toMatch(/^the mail server refuses .*: SMTP 554 5\.7\.1 at DATA$/);
  expect(told()).toHaveLength(1);
  const { subject, text } = await PostalMime.parse(told()[0]?.raw ?? '');
  expect(subject).toBe('[Website] The mail server refuses some emails of the website');
  expect(text).toContain('The mail server refuses some emails to help@trust.example.');
  expect(text).toContain('It named HK7W-3RQX.');
  expect(text).not.toContain('Kia ora');
  await send();
  expect(told()).toHaveLength(1);
  smtp.script = {};
  await send();
  expect(findProblem()).toBeNull();
  refuse();
  clock.advance(day);
  await send();
  expect(findProblem()).not.toBeNull();
  expect(told()).toHaveLength(2);
});

test('others are told once a day of an address that accepts requests and refuses what follows', async () => {
  const { smtp, clock, send, sendRequest, told, alerts, findProblem } = await prepare();
  smtp.script.END = (mail) =>
    isForTeam(mail) && mail.raw.includes('Subject: [Website]') ? '554 5.7.1 no' : undefined;
  const refuse = async (requests: number) => {
    for (let sent = 0; sent < requests; sent++) {
      expect(await sendRequest()).toMatchObject({ ok: true });
      // Settings and mailboxes may write one address in two ways.
      expect(await send([sent % 2 === 0 ? 'help@trust.example' : 'Help@trust.example'])).toMatchObject({
        ok: false,
      });
      expect(findProblem()).not.toBeNull();
      clock.advance(2 * minute);
    }
  };
  await refuse(30);
  expect([told(), alerts]).toMatchObject([{ length: 1 }, { length: 1 }]);
  clock.advance(day);
  await refuse(2);
  expect([told(), alerts]).toMatchObject([{ length: 2 }, { length: 2 }]);
  // A clock that is set back silences nobody for longer.
  clock.advance(-3 * day);
  await refuse(2);
  expect(told()).toHaveLength(3);
});

test('a mail that is accepted without its links, or later, is no problem', async () => {
  const { smtp, send, told, findProblem } = await prepare();
  smtp.script.END = ({ raw }) => (raw.includes('-short@') ? undefined : '554 5.7.1 no');
  expect(await send()).toMatchObject({ ok: true });
  smtp.script.END = '451 later';
  expect(await send()).toMatchObject({ ok: false, permanent: false });
  expect(smtp.seen).toHaveLength(3);
  expect(findProblem()).toBeNull();
  expect(told()).toEqual([]);
});

test('others who could not be told are told at the next refusal', async () => {
  const { smtp, refuse, send, told, findProblem, lines } = await prepare();
  smtp.script.END = (mail) => (isForTeam(mail) ? '554 5.7.1 no' : '451 later');
  await send();
  expect(lines.join()).toContain('others not told');
  expect(findProblem()).not.toBeNull();
  refuse();
  await send();
  expect(told()).toHaveLength(1);
});

test('a mail to others that is refused is a problem too, and nobody is told of it in a circle', async () => {
  const { smtp, send, findProblem } = await prepare();
  smtp.script.END = '554 5.7.1 no';
  await send();
  expect(findProblem()).not.toBeNull();
  // Whole and short, to the team and to the others.
  expect(smtp.seen).toHaveLength(4);
});

test('an address that was refused is not taken for one that accepts, because another in the mail does', async () => {
  const { smtp, refuse, send, findProblem } = await prepare();
  refuse();
  await send();
  smtp.script = { RCPT: ({ to }) => (to.at(-1) === 'help@trust.example' ? '550 5.1.1 no' : undefined) };
  expect(await send(['help@trust.example', 'office@trust.example'])).toMatchObject({ ok: true });
  expect(findProblem()).not.toBeNull();
  smtp.script = {};
  await send(['help@trust.example', 'office@trust.example']);
  expect(findProblem()).toBeNull();
});

test('the problem ends when the mail of a request is accepted there, and is one again at the next refusal', async () => {
  const { smtp, clock, refuse, send, sendRequest, told, findProblem } = await prepare();
  refuse();
  await send();
  await sendRequest();
  expect(findProblem()).not.toBeNull();
  smtp.script = {};
  expect(await sendRequest()).toMatchObject({ ok: true });
  expect(findProblem()).toBeNull();
  refuse();
  clock.advance(day);
  await send();
  expect(findProblem()).not.toBeNull();
  expect(told()).toHaveLength(2);
});

test('a refusal that others did not hear of on the day they were told of another one is told after that day', async () => {
  const { smtp, clock, refuse, send, told } = await prepare();
  refuse();
  await send();
  clock.advance(60 * minute);
  smtp.script = {};
  await send();
  clock.advance(60 * minute);
  refuse();
  await send();
  expect(told()).toHaveLength(1);
  for (let days = 0; days < 20; days++) {
    clock.advance(day);
    await send();
  }
  expect(told()).toHaveLength(2);
});

test('the problem ends eight days after the last refusal', async () => {
  const { clock, refuse, send, told, findProblem } = await prepare();
  refuse();
  await send();
  clock.advance(7 * day);
  await send();
  clock.advance(8 * day - 1);
  expect(findProblem()).not.toBeNull();
  clock.advance(1);
  expect(findProblem()).toBeNull();
  expect(told()).toHaveLength(1);
  await send();
  expect(findProblem()).not.toBeNull();
  expect(told()).toHaveLength(2);
});
