import type { Logger } from 'pino';
import type { Site } from '../../model/site.ts';
import { nzTime } from '../nz-time.ts';
import type { Letter } from './letter.ts';
import { letterAsHtml } from './letter-html.ts';
import { letterAsText } from './letter-text.ts';
import { type Mail, writeMail } from './mail.ts';
import { type MailAddresses, sender } from './message.ts';
import type { MailTransport } from './transport.ts';

/** What staff hear of at once, each with what they can do. */
const alarms = {
  keeping: {
    title: 'The website cannot take requests',
    meaning:
      'A request that somebody just sent could not be kept. They were shown your other contact details.',
    todo: 'Please tell the person who runs the website now. The page /health/ready of the website says whether it is still so.',
  },
  space: {
    title: 'The website will soon have no room for requests',
    meaning: 'Requests are still taken.',
    todo: 'Please ask the person who runs the website to make room on its disk.',
  },
  content: {
    title: 'There is a mistake in the words of the website',
    meaning: 'Visitors see the words as they were before it. Requests are taken, and reach you, as always.',
    todo: 'Please ask the person who changes the website to look at that line. The command awhina check says whether it is right.',
  },
  canary: {
    title: 'A test of the website did not reach you',
    meaning:
      'Once a day the website sends itself a request, to see that one would reach you. Two in a row did not arrive. Requests that people send now may not reach you either.',
    todo: 'Please tell the person who runs the website now. The page /health/deliveries of the website says whether it is still so.',
  },
  away: {
    title: 'The website did not answer',
    meaning:
      'Once a day the website sends itself a request at its own address, as a visitor would. Two in a row met no page. People who want to reach you may see none either.',
    todo: 'Please try to open the website. If you cannot, tell the person who runs it now. If you can, tell them too: only its own server cannot reach it, and the setting CANARY_URL is for that.',
  },
  mail: {
    title: 'Requests from the website may not reach you',
    meaning:
      'Every hour the website looks whether its mail server would take a mail to you. This time it would not. Nothing is lost: requests are kept, and the website goes on trying to send them.',
    todo: 'Please tell the person who runs the website now. On its server, awhina test-mail says step by step what is wrong and what to do about it.',
  },
  mailAgain: {
    title: 'For a while the website could send you no mail',
    meaning: 'It can again. Requests that came in meanwhile were kept, and reach you now.',
    todo: 'There is nothing to do, unless it happens often: then please tell the person who runs the website.',
  },
  certificate: {
    title: 'The certificate of your mail server ends soon',
    meaning:
      'Requests reach you until then. After it the website sends no mail, because it could not know to whom.',
    todo: 'Please ask whoever runs your mail server to renew its certificate.',
  },
} as const;
export type Alarm = keyof typeof alarms;
/** Those in which requests still reach staff. */
const canWait: readonly Alarm[] = ['space', 'content', 'mailAgain', 'certificate'];
/** What concerns the way to staff is also for whoever is told where that fails. */
const alsoElsewhere: readonly Alarm[] = ['canary', 'away', 'mail', 'mailAgain'];

/** Staff hear of the same thing once a day. */
const quietMs = 24 * 60 * 60_000;
/** Where the mail did not go out, it is tried again at the next occasion, but not at every request. */
const againMs = 60_000;

export interface AlarmParts {
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
export function createAlarm(parts: AlarmParts) {
  const { transport, site, addresses, escalateTo = [], now, log } = parts;
  const { monotonic = () => performance.now() } = parts;
  const quietUntil = new Map<Alarm, number>();
  const told = new Set<Alarm>();

  async function tell(alarm: Alarm, problem: string): Promise<void> {
    const others = alsoElsewhere.includes(alarm) ? escalateTo : [];
    const outcomes = await Promise.all(
      [...new Set([...Object.values(addresses.to).flat(), ...others])].map(async (to) => {
        const mail = createLetter(alarm, problem, { site: site(), addresses, to, at: now() });
        return transport.send(await writeMail(mail));
      }),
    );
    if (!outcomes.some(({ ok }) => ok)) return log.error({ event: 'alarm not sent', reason: problem });
    quietUntil.set(alarm, monotonic() + quietMs);
    told.add(alarm);
    log.info({ event: 'alarm sent', reason: problem });
  }

  /** Tells whether somebody has heard of it by now. Never rejects. */
  return async function raise(alarm: Alarm, problem: string): Promise<boolean> {
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

function createLetter(alarm: Alarm, problem: string, { site, addresses, to, at }: Sending): Mail {
  const { title, meaning, todo } = alarms[alarm];
  const letter: Letter = {
    title,
    banners: [
      {
        tone: canWait.includes(alarm) ? 'caution' : 'urgent',
        shout: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`,
        lines: [meaning],
      },
    ],
    notes: [todo, ...(alarm === 'mailAgain' ? [] : ['You hear of this once a day for as long as it lasts.'])],
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
