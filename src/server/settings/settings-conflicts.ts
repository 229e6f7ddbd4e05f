import { serverForms } from '../../model/server-forms.ts';
import { defaultRetentionDays } from './settings-list.ts';

const defaultUnseenDays = 90;

/** How many days after it came in a request is erased that nobody has seen. */
export const unseenDays = (given: number | undefined, retentionDays: number): number =>
  given ?? Math.max(defaultUnseenDays, retentionDays);

const noMetricsPort =
  'is no setting any more. Remove it: metrics are at /metrics on PORT (docs/upgrading.md, To 2.0)';

/** What an older version knew, with what to do. Whoever set one would wait for what it did. */
export const removedSettings: Readonly<Record<string, string>> = {
  METRICS_PORT: noMetricsPort,
  METRICS_HOST: noMetricsPort,
};

/** Problems between settings: those that only make sense together. */
export function findConflicts(given: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  const need = (name: string, because: string) => {
    if (!given[name] && given[because]) problems.push(`${name} must be set, because ${because} is`);
  };
  for (const name of ['ALERT_BODY', 'ALERT_HEADERS']) need('ALERT_URL', name);
  need('RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET_KEY');
  need('RECAPTCHA_SECRET_KEY', 'RECAPTCHA_SITE_KEY');
  // reCAPTCHA says which site a token was made for, which is compared with PUBLIC_URL.
  need('PUBLIC_URL', 'RECAPTCHA_SITE_KEY');
  if (given.HSTS_SUBDOMAINS === 'on' && !given.PUBLIC_URL?.startsWith('https:'))
    problems.push('PUBLIC_URL must begin with https://, because HSTS_SUBDOMAINS is on');
  const mailboxes = Object.values(serverForms).map(({ mailTo }) => mailTo);
  for (const name of ['MAIL_FROM', ...mailboxes]) need(name, 'SMTP_URL');
  // The person who set an address would wait for mail that is only written to a folder.
  const others = ['MAIL_TO_ESCALATE', 'MAIL_TO_CANARY', 'MAIL_BOUNCES_TO', 'MAIL_FROM'];
  const mailTo = [...mailboxes, ...others].find((name) => given[name]);
  if (Number(given.UNSEEN_RETENTION_DAYS) < Number(given.RETENTION_DAYS ?? defaultRetentionDays))
    problems.push('UNSEEN_RETENTION_DAYS must be at least RETENTION_DAYS');
  if (mailTo && !given.SMTP_URL)
    problems.push(
      `SMTP_URL must be set, because ${mailTo} is: without it no mail is sent. Was it lost on the way? In a systemd unit a % is written %%`,
    );
  return problems;
}
