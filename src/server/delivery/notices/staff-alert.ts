import type { Logger } from 'pino';
import type { Site } from '../../../model/site.ts';
import { nzTime } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { letterAsHtml } from '../letter/letter-html.ts';
import { letterAsText } from '../letter/letter-text.ts';
import { type MailAddresses, sender } from '../letter/submission-mail.ts';
import { type Mail, writeMail } from '../mail.ts';
import type { MailTransport } from '../mail-transport.ts';

/** What staff hear of at once, each with what they can do. */
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
    meaning: 'Visitors still see the text from before the mistake. Requests reach you as always.',
    todo: 'Please ask the person who changes the website to correct that line. The command awhina check shows whether it is right.',
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
    todo: 'Please try to open the website. If you cannot, tell the person who runs it now. If you can, tell them too: then only the website’s own server cannot open that address, and the setting CANARY_URL is for that.',
  },
  mail: {
    title: 'Requests from the website may not reach you',
    meaning:
      'Every hour the website checks whether its mail server would accept an email to you. This time it would not. Nothing is lost: the website stores requests and keeps trying to send them.',
    todo: 'Please tell the person who runs the website now. On its server, awhina test-mail shows step by step what is wrong and what to do about it.',
  },
  mailAgain: {
    title: 'For a while the website could not send you email',
    meaning: 'It can again. Requests that came in during that time were stored, and reach you now.',
    todo: 'You do not have to do anything. If it happens often, please tell the person who runs the website.',
  },
  certificate: {
    title: 'The certificate of your mail server expires soon',
    meaning:
      'Until then requests reach you. After that the website sends no email, because it could not be sure who receives it.',
    todo: 'Please ask the person who runs your mail server to renew its certificate.',
  },
} as const;
export type Alert = keyof typeof alerts;
/** Those in which requests still reach staff. */
const canWait: readonly Alert[] = ['space', 'content', 'mailAgain', 'certificate'];
/** What concerns the way to staff is also for whoever is told where that fails. */
const alsoElsewhere: readonly Alert[] = ['canary', 'away', 'mail', 'mailAgain'];

/** Staff hear of the same thing once a day. */
const quietMs = 24 * 60 * 60_000;
/** Where the mail did not go out, it is tried again at the next occasion, but not at every request. */
const againMs = 60_000;

export interface StaffAlertParts {
  transport: MailTransport;
  site: () => Site;
  addresses: MailAddresses;
  /** Who hears besides staff that requests may not reach them. */
  escalateTo?: readonly string[];
  now: () => Date;
  monotonic?: () => number;
  log: Pick<Logger, 'info' | 'error'>;
}

/**
 * Tells staff by mail what does not wait until somebody looks. It asks no database, which may be what is broken; so each
 * server tells for itself.
 */
export function createStaffAlert(parts: StaffAlertParts) {
  const { transport, site, addresses, escalateTo = [], now, log } = parts;
  const { monotonic = () => performance.now() } = parts;
  const quietUntil = new Map<Alert, number>();
  const told = new Set<Alert>();

  async function tell(alarm: Alert, problem: string): Promise<void> {
    const others = alsoElsewhere.includes(alarm) ? escalateTo : [];
    const outcomes = await Promise.all(
      [...new Set([...Object.values(addresses.to).flat(), ...others])].map(async (to) => {
        const mail = createMail(alarm, problem, { site: site(), addresses, to, at: now() });
        return transport.send(await writeMail(mail));
      }),
    );
    if (!outcomes.some(({ ok }) => ok)) return log.error({ event: 'alarm not sent', reason: problem });
    quietUntil.set(alarm, monotonic() + quietMs);
    told.add(alarm);
    log.info({ event: 'alarm sent', reason: problem });
  }

  /** Tells whether somebody has heard of it by now. Never rejects. */
  return async function alertStaff(alarm: Alert, problem: string): Promise<boolean> {
    if (monotonic() < (quietUntil.get(alarm) ?? 0)) return told.has(alarm);
    quietUntil.set(alarm, monotonic() + againMs);
    told.delete(alarm);
    await tell(alarm, problem).catch((err) => log.error({ event: 'alarm not sent', err }));
    return told.has(alarm);
  };
}

interface Sending {
  site: Site;
  addresses: MailAddresses;
  to: string;
  at: Date;
}

function createMail(alarm: Alert, problem: string, { site, addresses, to, at }: Sending): Mail {
  const { title, meaning, todo } = alerts[alarm];
  const letter: Letter = {
    title,
    banners: [
      {
        tone: canWait.includes(alarm) ? 'caution' : 'urgent',
        shout: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`,
        lines: [meaning],
      },
    ],
    notes: [
      todo,
      ...(alarm === 'mailAgain' ? [] : ['You get this email once a day until the problem is fixed.']),
    ],
    facts: [],
    answers: [],
  };
  return {
    name: `alarm-${alarm}-${to.replace(/[^a-z0-9]+/gi, '-')}-${nzTime(at).replace(/[ :]/g, '-')}`,
    from: sender(site, addresses.from),
    to: [to],
    subject: `[Website] ${title}`,
    text: letterAsText(letter),
    html: letterAsHtml(letter),
    date: at,
  };
}
