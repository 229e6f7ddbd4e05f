import type { Logger } from 'pino';
import type { FormName } from '../../../model/form-field.ts';
import type { Site } from '../../../model/site.ts';
import type { DeliveryQueue, Undelivered } from '../../store/contract/delivery-queue.ts';
import { nzTime } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { letterAsHtml } from '../letter/letter-html.ts';
import { letterAsText } from '../letter/letter-text.ts';
import { formTitle, type MailAddresses, sender } from '../letter/submission-mail.ts';
import { type Mail, writeMail } from '../mail.ts';
import type { MailTransport } from '../mail-transport.ts';
import { describeOverdue, describeParked, hasProblem } from './delivery-problems.ts';

/** Staff are told once a day at most, however many servers there are. */
const everyMs = 24 * 60 * 60_000;

export interface UndeliveredNoticeParts {
  queue: DeliveryQueue;
  transport: MailTransport;
  site: () => Site;
  addresses: MailAddresses;
  now: () => Date;
  log: Pick<Logger, 'info' | 'error'>;
}

/**
 * Looks at what is undelivered: says each change in the log once, and tells staff in the mailbox that still works.
 */
export function createUndeliveredNotice({
  queue,
  transport,
  site,
  addresses,
  now,
  log,
}: UndeliveredNoticeParts) {
  let said = '';

  return async function noticeUndelivered(): Promise<void> {
    const at = now();
    const undelivered = await queue.summariseUndelivered();
    const trouble = [describeOverdue(undelivered, at), describeParked(undelivered)].filter(
      (problem) => problem !== null,
    );
    const saying = trouble.join('; ');
    if (saying !== said) {
      if (saying) log.error({ event: 'requests do not reach staff', reason: saying });
      else log.info({ event: 'requests reach staff again' });
      said = saying;
    }
    if (trouble.length === 0 || !(await queue.claimNotice(at, everyMs))) return;

    for (const to of mailboxes(undelivered, addresses, at)) {
      const mail = await writeMail(createNotice({ trouble, undelivered, site: site(), addresses, to, at }));
      if ((await transport.send(mail)).ok) {
        log.info({ event: 'notice sent' });
        return;
      }
    }
    await queue.releaseNotice();
  };
}

/** Those without trouble of their own first: they are the likeliest to be read. */
function mailboxes(
  undelivered: readonly Undelivered[],
  { to }: MailAddresses,
  now: Date,
): (readonly string[])[] {
  const troubled = new Set(undelivered.filter((one) => hasProblem(one, now)).map(({ form }) => form));
  const forms = (Object.keys(to) as FormName[]).toSorted(
    (a, b) => Number(troubled.has(a)) - Number(troubled.has(b)),
  );
  const [first, ...others] = forms.map((form) => to[form]);
  return [...(first ? [first] : []), ...others.filter((one) => String(one) !== String(first))];
}

interface Notice {
  trouble: string[];
  undelivered: readonly Undelivered[];
  site: Site;
  addresses: MailAddresses;
  to: readonly string[];
  at: Date;
}

function createNotice({ trouble, undelivered, site, addresses, to, at }: Notice): Mail {
  const letter: Letter = {
    title: 'Requests from the website are not reaching you',
    banners: [
      {
        tone: 'urgent',
        shout: 'Somebody may be waiting for your help.',
        lines: trouble.map((problem) => `${capital(problem)}.`),
      },
    ],
    notes: [
      'Nothing is lost: every request is stored on the website’s server, and the server keeps trying to send those that are waiting.',
      'Please ask the person who runs the website to run: ./awhina deliveries. It lists these requests and says why they were not delivered; ./awhina show REFERENCE shows one, and ./awhina deliveries retry --all sends them again once the problem is fixed.',
    ],
    facts: undelivered
      .filter((one) => hasProblem(one, at))
      .map(({ form, waiting, parked }): [string, string] => [
        formTitle(site, form),
        `${waiting} waiting, ${parked} parked`,
      ]),
    answers: [],
  };
  return {
    name: `notice-${nzTime(at).replace(/[ :]/g, '-')}`,
    from: sender(site, addresses.from),
    to,
    subject: '[Website] Requests are not reaching you',
    text: letterAsText(letter),
    html: letterAsHtml(letter),
    date: at,
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
