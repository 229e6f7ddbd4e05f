import type { AlertSettings } from '../../server/delivery/alerts/post-alert.ts';

export interface AlertStep {
  /** Null where an earlier step failed. */
  ok: boolean | null;
  line: string;
  todo: string | null;
}

const steps = [
  { label: 'Name', well: 'it can be found', fails: /^(ENOTFOUND|EAI_)/ },
  { label: 'Connection', well: 'it answers', fails: /^(?!HTTP |.*(CERT|SIGNATURE|SSL|TLS|EPROTO))/ },
  { label: 'Encryption', well: 'its certificate is valid', fails: /^(?!HTTP )/ },
  { label: 'Answer', well: 'it accepted the test', fails: /^HTTP / },
];

/** What to do about a problem. The first pattern that matches counts. */
const advice: [pattern: RegExp, todo: string][] = [
  [/^(ENOTFOUND|EAI_)/, 'There is no such name. Is it spelt right in ALERT_URL?'],
  [
    /^(WRONG_VERSION|ERR_SSL|EPROTO)/,
    'The receiver does not encrypt at this port. On your own network http:// may be right; everywhere else ask whoever runs it.',
  ],
  [
    /CERT|SIGNATURE|SSL|TLS/,
    'The certificate of the receiver has expired, is for another name, or no known authority issued it. Nothing is sent there, because somebody else could be answering. On your own network the receiver can have http://.',
  ],
  [
    /^no answer in time$|TIMEOUT|ETIMEDOUT/,
    'No answer within ten seconds: a firewall is in the way, or the receiver is too slow. Requests do not wait for it.',
  ],
  [
    /^(?!HTTP )/,
    'Nobody answers there. Is the receiver running, and is the port in ALERT_URL right? Otherwise a firewall may be in the way.',
  ],
  [
    /^HTTP 3/,
    'The receiver leads on to another address, and your token would go along: the website does not follow. Put the address at which it ends into ALERT_URL.',
  ],
  [
    /^HTTP 40[13]/,
    'The receiver does not let the website in. Is the token in ALERT_HEADERS right, such as Authorization: Bearer …?',
  ],
  [
    /^HTTP 4(04|05|10)/,
    'The receiver does not know this address. Is ALERT_URL complete, to its last letter?',
  ],
  [/^HTTP 4(00|06|15|22)/, 'The receiver does not understand it. Try the other ALERT_BODY: json or text.'],
  [
    /^HTTP 429/,
    'The receiver has had too many from you. Try again later; alerts are tried again by themselves.',
  ],
  [
    /^HTTP 5/,
    'The receiver itself has a problem: its own log says which. Alerts are tried again by themselves.',
  ],
];

/** The steps of a POST that ended with this problem, in plain words. */
export function probeAlert(problem: string | null, { url }: Pick<AlertSettings, 'url'>): AlertStep[] {
  const taken = steps.filter(({ label }) => label !== 'Encryption' || url.startsWith('https:'));
  const failed = problem === null ? taken.length : taken.findIndex(({ fails }) => fails.test(problem));
  return taken.map(({ label, well }, index) => {
    if (index < failed) return { ok: true, line: `${label}: ${well}`, todo: null };
    if (index > failed) return { ok: null, line: `${label}: not tried`, todo: null };
    const todo = advice.find(([pattern]) => pattern.test(problem ?? ''))?.[1] ?? null;
    return { ok: false, line: `${label}: ${problem}`, todo };
  });
}
