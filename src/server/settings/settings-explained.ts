/**
 * The sentence that `awhina init` writes above each setting, in the order in which a person who goes public needs them. A test
 * compares the names with settings-schema.ts.
 */
interface ExplainedSetting {
  name: string;
  text: string;
  /** The value in the file until a person changes it. */
  example: string;
}

export const explainedSettings: readonly { heading: string; settings: readonly ExplainedSetting[] }[] = [
  {
    heading: 'Where the site is',
    settings: [
      {
        name: 'PUBLIC_URL',
        text: 'Its address on the web. Without it the site is for trying out.',
        example: 'https://www.trust.example',
      },
      {
        name: 'HSTS_SUBDOMAINS',
        text: 'on: browsers speak to every name below that address by https alone, for a year. Only where all of them can.',
        example: 'off',
      },
      { name: 'HOST', text: 'The address of this machine that it listens on.', example: '127.0.0.1' },
      { name: 'PORT', text: 'The port that it listens on.', example: '3000' },
      {
        name: 'TRUST_PROXY',
        text: 'The web server in front of it, which is trusted to say what a visitor’s address is.',
        example: '127.0.0.1',
      },
    ],
  },
  {
    heading:
      'Mail to staff: SMTP_URL and the three addresses, or none. Without them each mail is a file in DATA_DIR/mail',
    settings: [
      {
        name: 'SMTP_URL',
        text: 'The mail server. In the password, anything but letters and digits is % and its code: @ is %40.',
        example: 'smtp://user:password@mail.trust.example:587',
      },
      {
        name: 'SMTP_CA',
        text: 'A file with the certificate of your own authority, if it issued that of the mail server.',
        example: '/etc/awhina/mail-ca.pem',
      },
      {
        name: 'MAIL_FROM',
        text: 'The sender. Somebody must read what comes back to it.',
        example: 'website@trust.example',
      },
      {
        name: 'MAIL_TO_HELP',
        text: 'Who gets requests for help. Several, with commas between them.',
        example: 'help@trust.example',
      },
      { name: 'MAIL_TO_CONTACT', text: 'Who gets messages.', example: 'office@trust.example' },
      {
        name: 'MAIL_TO_ESCALATE',
        text: 'Who is told of an urgent request that nobody takes, and of any request that nobody has seen. Somebody outside your team’s mailbox.',
        example: 'manager@elsewhere.example',
      },
      {
        name: 'MAIL_BOUNCES_TO',
        text: 'Who gets the reports of mail that could not be delivered. Somebody must read them. Without it MAIL_FROM gets them.',
        example: 'office@trust.example',
      },
    ],
  },
  {
    heading:
      'An alert besides the mail, for urgent requests. It has nothing of the request but its reference; who gets it learns when it came in',
    settings: [
      {
        name: 'ALERT_URL',
        text: 'Where an urgent request is posted to at once, and once a day how many nobody has seen. Keep it secret. awhina test-alert tries it.',
        example: 'https://ntfy.sh/a-long-name-that-nobody-guesses',
      },
      {
        name: 'ALERT_BODY',
        text: 'json: {"reference": …, "urgent": true, "text": …}. text: the sentence alone, as ntfy shows it.',
        example: 'text',
      },
      {
        name: 'ALERT_HEADERS',
        text: 'Headers that the receiver wants, such as a token. Several, with | between them.',
        example: 'Authorization: Bearer token | Priority: urgent',
      },
    ],
  },
  {
    heading: 'Until somebody has answered. site.yaml says after how many working days (remindAfter)',
    settings: [
      {
        name: 'REMINDERS',
        text: 'Staff are reminded by mail of what nobody has answered. off: they are not, and what nobody has seen is erased after RETENTION_DAYS.',
        example: 'on',
      },
      {
        name: 'REMIND_AT',
        text: 'When that mail comes, in New Zealand, on working days, if anything waits for too long.',
        example: '08:30',
      },
      {
        name: 'URGENT_WITHIN_MINUTES',
        text: 'After how long staff and MAIL_TO_ESCALATE are told of an urgent request that nobody has taken.',
        example: '60',
      },
    ],
  },
  {
    heading: 'Proof that it works tonight',
    settings: [
      {
        name: 'CANARY_AT',
        text: 'When the server sends itself a test request each day, to check that requests reach you. off: never.',
        example: '16:00',
      },
      {
        name: 'MAIL_TO_CANARY',
        text: 'A mailbox that nobody reads, for the mail of that request.',
        example: 'canary@trust.example',
      },
      {
        name: 'CANARY_URL',
        text: 'Where to send it, if this machine cannot reach PUBLIC_URL.',
        example: 'http://127.0.0.1:3000',
      },
      {
        name: 'HEARTBEAT_URL',
        text: 'Called after each such success, unless nobody has seen a request in time. A watchdog there tells you when the calls stop.',
        example: 'https://watchdog.example/your-own-address',
      },
      {
        name: 'WEEKLY_LETTER',
        text: 'On Mondays each mailbox gets a letter. Somebody presses its link, which shows that the mailbox is read. off: no letter.',
        example: 'on',
      },
      {
        name: 'MONITOR_KEY',
        text: 'At least 20 characters. A monitor or Prometheus elsewhere that sends it (Authorization: Bearer …) is told what is wrong.',
        example: '0123456789abcdef01234567',
      },
    ],
  },
  {
    heading: 'What is kept, where and for how long',
    settings: [
      { name: 'CONTENT_DIR', text: 'The folder with your words and pictures.', example: 'content' },
      {
        name: 'PREVIEW_LANGUAGES',
        text: 'Languages that are not offered yet, shown at their addresses (/mi) to the people who check them.',
        example: 'mi',
      },
      { name: 'DATA_DIR', text: 'The folder with the requests. Back it up.', example: 'data' },
      {
        name: 'AWAY_DIR',
        text: 'Where to write the page that the web server shows while the site is down. Everybody may read it.',
        example: '/var/cache/awhina',
      },
      {
        name: 'DATABASE_URL',
        text: 'PostgreSQL instead of a file in DATA_DIR, for several servers that share the work.',
        example: 'postgres://user:password@host:5432/database',
      },
      {
        name: 'RETENTION_DAYS',
        text: 'How many days after your team last dealt with it a request is erased.',
        example: '30',
      },
      {
        name: 'UNSEEN_RETENTION_DAYS',
        text: 'How many days after it came in a request is erased that nobody has seen: 21 or more, and not fewer than RETENTION_DAYS.',
        example: '90',
      },
      {
        name: 'SEAL_TO',
        text: 'Seals answers, so that only people who have the key can read them. awhina keygen makes one.',
        example: 'age1...',
      },
    ],
  },
  {
    heading: 'Other companies’ services. Without them nothing about a visitor leaves this machine',
    settings: [
      {
        name: 'RECAPTCHA_SITE_KEY',
        text: 'reCAPTCHA v3 instead of our own bot check: both keys, and PUBLIC_URL. Visitors then talk to Google.',
        example: 'site-key',
      },
      { name: 'RECAPTCHA_SECRET_KEY', text: 'The other of the two.', example: 'secret-key' },
      {
        name: 'RECAPTCHA_URL',
        text: 'Another address of that service.',
        example: 'https://www.recaptcha.net',
      },
      { name: 'PEXELS_API_KEY', text: 'Photos from Pexels, fetched by the server.', example: 'api-key' },
      { name: 'PEXELS_URL', text: 'Another address of that service.', example: 'https://api.pexels.com' },
    ],
  },
  {
    heading: 'Only if you know why',
    settings: [
      {
        name: 'BOT_CHECK_SECRET',
        text: 'At least 32 characters. Without it one is made, and kept in DATA_DIR.',
        example: '0123456789abcdef0123456789abcdef',
      },
      {
        name: 'LOG_LEVEL',
        text: 'silent, fatal, error, warn, info, debug or trace.',
        example: 'info',
      },
    ],
  },
];
