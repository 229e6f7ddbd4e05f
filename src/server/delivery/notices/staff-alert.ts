import { asSentence } from '../../../model/sentence.ts';
import type { Letter } from '../letter/letter.ts';
import type { Mailing } from '../mail-transport.ts';
import { sendNotice } from './send-notice.ts';

/**
 * What staff are told by mail at once, each with what they can do about it. The keys are in file names, in Message-IDs and
 * in the names of gates, which stay over an upgrade: `keeping` means storing.
 */
const alerts = {
  keeping: {
    title: 'The website cannot take requests',
    meaning:
      'Somebody just sent a request, and it could not be saved. The website showed them your other contact details.',
    todo: 'Please tell the person who runs the website now. The page /health/ready of the website shows whether this is still the case.',
  },
  space: {
    title: 'The website will soon have no room for requests',
    meaning: 'The website still accepts requests.',
    todo: 'Please ask the person who runs the website to make room on its disk.',
  },
  content: {
    title: 'There is a mistake in the words of the website',
    meaning: 'Visitors still see the words from before the mistake. Requests are mailed to you as always.',
    todo: 'Please ask the person who changes the website to correct that line. ./awhina check shows whether it is right.',
  },
  canary: {
    title: 'A test of the website did not reach you',
    meaning:
      'Once a day the website sends itself a test request, to check that requests reach you. The last two did not arrive. Requests that people send now may not reach you either.',
    todo: 'Please tell the person who runs the website now. The page /health/deliveries of the website shows whether this is still the case.',
  },
  away: {
    title: 'The website did not answer',
    meaning:
      'Once a day the website opens its own address and sends itself a test request, as a visitor would. The last two times there was no page. People who want to reach you may not see one either.',
    todo: 'Please try to open the website. Then tell the person who runs it, now, whether you can. If you can, only its own server cannot open that address. The setting CANARY_URL is for that.',
  },
  mail: {
    title: 'Requests from the website may not reach you',
    meaning:
      'Every hour the website checks whether its mail server would accept an email to you. This time it would not. Nothing is lost: the website stores requests and keeps trying to send them.',
    todo: 'Please tell the person who runs the website now. On its server, ./awhina test-mail shows what is wrong and what to do about it.',
  },
  mailAgain: {
    title: 'For a while the website could not send you email',
    meaning: 'It can again. Requests that came in during that time were stored, and are mailed to you now.',
    todo: 'You do not have to do anything. If it happens often, please tell the person who runs the website.',
  },
  clock: {
    title: 'The clock of the website may be wrong',
    meaning:
      'Requests are still mailed to you. The website erases old requests by its clock. With a wrong clock it could erase what nobody has seen.',
    todo: 'Please tell the person who runs the website now. They can set the clock. If it is right, they run ./awhina purge --trust-clock.',
  },
  certificate: {
    title: 'The certificate of your mail server runs out soon',
    meaning:
      'Until then requests are mailed to you. After that the website sends no email: it could not be sure who gets it.',
    todo: 'Please ask the person who runs your mail server to renew its certificate.',
  },
} as const;
export type Alert = keyof typeof alerts;
/** Requests still reach staff while one of these lasts. */
const canWait: readonly Alert[] = ['space', 'content', 'mailAgain', 'certificate', 'clock'];
/** Requests may not reach staff while one of these lasts, or be erased unseen, so MAIL_TO_ESCALATE hears of it too. */
const alsoEscalated: readonly Alert[] = ['canary', 'away', 'mail', 'mailAgain', 'clock'];

/** Staff get the same alert once a day. */
const quietMs = 24 * 60 * 60_000;
/** An alert that could not be sent is tried again after this long, and not at every failed request. */
const retryMs = 60_000;

interface StaffAlertParts extends Mailing {
  /** MAIL_TO_ESCALATE. */
  escalateTo?: readonly string[];
  monotonic?: () => number;
}

/** Alerts staff by mail. No database is asked, since the database may be what is broken: each server alerts by itself. */
export function createStaffAlert(parts: StaffAlertParts) {
  const { addresses, escalateTo = [], log, monotonic = () => performance.now() } = parts;
  const quietUntil = new Map<Alert, number>();
  const sent = new Set<Alert>();

  async function send(alert: Alert, problem: string): Promise<void> {
    const others = alsoEscalated.includes(alert) ? escalateTo : [];
    const recipients = new Set([...Object.values(addresses.to).flat(), ...others]);
    const letter = writeLetter(alert, problem);
    const outcomes = await Promise.all(
      [...recipients].map((to) => {
        const name = `alarm-${alert}-${to.replace(/[^a-z0-9]+/gi, '-')}`;
        return sendNotice(parts, { letter, name, to: [to] });
      }),
    );
    if (!outcomes.some(({ ok }) => ok)) return log.error({ event: 'notice not sent', reason: problem });
    quietUntil.set(alert, monotonic() + quietMs);
    sent.add(alert);
    log.info({ event: 'notice sent', reason: problem });
  }

  /** Resolves to whether somebody has got this alert by now. Never rejects. */
  return async function alertStaff(alert: Alert, problem: string): Promise<boolean> {
    if (monotonic() < (quietUntil.get(alert) ?? 0)) return sent.has(alert);
    quietUntil.set(alert, monotonic() + retryMs);
    sent.delete(alert);
    await send(alert, problem).catch((err) => log.error({ event: 'notice not sent', err }));
    return sent.has(alert);
  };
}

function writeLetter(alert: Alert, problem: string): Letter {
  const { title, meaning, todo } = alerts[alert];
  return {
    title,
    banners: [
      {
        tone: canWait.includes(alert) ? 'caution' : 'urgent',
        shout: asSentence(problem),
        lines: [meaning],
      },
    ],
    notes: [
      todo,
      ...(alert === 'mailAgain' ? [] : ['You get this email once a day until the problem is fixed.']),
    ],
  };
}
