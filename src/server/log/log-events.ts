/** Every event that the log takes, by subject, with what it means to the person who reads it. `docs/log-events.md` lists them. */
const bySubject = {
  Requests: {
    'submission stored': 'A request was stored. Its sender has the reference.',
    'canary stored': 'The daily canary was stored.',
    'submission not stored': 'A request could not be stored, and its sender was told so.',
    'token refused': 'A form did not pass the bot check. `reason` says why.',
    'store failed': 'No request can be stored now. `reason` says why.',
    'store works again': 'Requests can be stored again.',
    'store check failed': 'The server could not test whether it can store a request.',
  },
  'Mail of requests': {
    'mail accepted': 'A mail server took the mail of a request, or the file was written.',
    'delivery postponed': 'The mail was not taken. It is sent again later.',
    'delivery parked':
      'The mail server refused the mail for good. It is tried once a day until somebody has answered the request.',
    'lease lost':
      'Sending took longer than the lease, so this server records nothing. Another server may send the mail again.',
    'mail not written': 'A mail could not be composed. It is tried again.',
    'mail refused for some addresses': 'The mail server took the mail, but not for every address.',
    'mail refused, sent without links':
      'The mail server refused a mail with links, and was given one without.',
    'delivery not recorded': 'The mail went out, and the database could not note it. It may be sent twice.',
    'deliveries not read': 'The database could not say what is to be mailed.',
    'deliveries read again': 'It can say so again.',
    'held mail accepted': 'A digest of requests of doubtful senders was taken.',
    'digest postponed': 'A digest was not taken. It is sent again later.',
    'digest parked': 'The mail server refused a digest for good. It is tried once a day.',
    'held mail not sent': 'Digests could not be sent.',
    'link mail sent': 'The link to a request went out in a mail of its own.',
    'link mail not sent': 'It could not. The next reminder, if reminders are on, has the link.',
    'change mail sent': 'The mailbox was told what a person asked for after sending.',
    'change mail not sent': 'It could not be told. It is tried again.',
    'press mail sent': 'The mailbox was told what a colleague pressed.',
    'press mail not sent': 'It could not be told.',
  },
  'Alerts, reminders, notices': {
    'alert sent': '`ALERT_URL` took the alert of an urgent request.',
    'alert postponed': '`ALERT_URL` did not take it. It is sent again later.',
    'alert given up': '`ALERT_URL` did not take it for a day.',
    'alert not recorded': 'An alert went out, and the database could not note it. It may be sent twice.',
    'alerts not read': 'The database could not say which alerts are due.',
    'alerts read again': 'It can say so again.',
    'reminder sent': 'A mailbox was reminded of what waits for an answer.',
    'reminder not sent': 'It could not be. `reason` says why.',
    'reminder not recorded': 'A reminder went out, and the database could not note it.',
    'reminder refused for some addresses': 'The mail server took a reminder, but not for every address.',
    'urgent reminder sent': 'Somebody was reminded of urgent requests that nobody has taken.',
    'urgent reminder not sent': 'The reminder could not be sent. `reason` or `err` says why.',
    'urgent reminder refused for some addresses': 'The mail server took it, but not for every address.',
    'escalation sent': '`MAIL_TO_ESCALATE` was told of urgent requests whose mail waits.',
    'escalation not sent': 'It could not be told.',
    'others told':
      '`MAIL_TO_ESCALATE`, or the other mailbox, was told: of unseen requests, refused mail or an unread mailbox.',
    'others not told': 'They could not be told. It is tried again.',
    'others not alerted': '`ALERT_URL` did not take that notice.',
    'notice sent': 'Staff or `MAIL_TO_ESCALATE` were told of trouble. `reason` names it.',
    'notice not sent': 'They could not be told.',
    'mail of requests not accepted':
      'Mail of requests has waited for over an hour, or was refused for good. `reason` says which.',
    'mail of requests accepted again': 'No mail of a request is late or refused any more.',
    'delivery check failed': 'The server could not test whether the mail of requests goes out.',
  },
  'The mail server and the canary': {
    'mail server refuses mail': 'The hourly probe failed. `reason` says at which step.',
    'mail server in doubt': 'The probe failed once. It is tried again.',
    'mail server accepts mail again': 'The probe succeeds again.',
    'mail server check failed': 'The probe itself did not run.',
    'canary succeeded': "The day's canary went all the way of a request.",
    'canary failed': 'It did not. `reason` says where it stopped.',
    'canary interrupted': 'The run of the canary ended with an error.',
    'canary not sent': 'A canary ran, and its outcome could not be recorded or told. It is sent again.',
    'canary not erased': 'A canary is still stored. The server tries again.',
    'old canary erased': 'A canary of an earlier run was deleted.',
    'heartbeat failed': '`HEARTBEAT_URL` did not answer.',
    'heartbeat withheld':
      '`HEARTBEAT_URL` was not called: a request or a mailbox waits for a reader, or mail to staff is refused.',
    'weekly letter sent': 'A mailbox has its Monday letter.',
    'weekly letter not sent': 'It has not. `reason` says why.',
    'weekly letter refused for some addresses': 'The mail server took the letter, but not for every address.',
    'reader signs not read': 'The database could not say when somebody last read a mailbox.',
  },
  'The database and the disk': {
    'database away': 'PostgreSQL does not answer. Requests go to the file of this server.',
    'database still away': 'It was tried again, and does not answer.',
    'database connection lost': 'One connection ended.',
    'database back': 'PostgreSQL answers, for the first time or again.',
    'requests transferred':
      'Requests in the file of this server are in PostgreSQL now. `count` says how many.',
    'requests not transferred': 'They could not be transferred. The server tries again.',
    'jobs not read': 'The database could not say what is due.',
    'jobs read again': 'It can say so again.',
    'job not recorded': 'A job was done, and the database could not note it.',
    'disk nearly full': '`reason` says how much is left on the disk of the data folder.',
    'disk check failed': 'The free space could not be read.',
    'data folder replaced':
      'The database file is not the one that was opened. `count` requests in the old one still wait for a mail server; `null`: not all can be read.',
    'file of another user': 'The server cannot use a file in the data folder. `problem` names it.',
    'file of another user replaced':
      'The server removed or renamed such a file, and can make it again. `file` names it.',
  },
  Erasing: {
    'requests erased': 'Expired requests were deleted. `count` says how many.',
    'requests erased, traces left':
      'They were deleted, and the files still hold traces. `awhina purge` says more.',
    'requests erased unseen': 'Requests were deleted that nobody had seen. `awhina losses` says when.',
    'erasing paused': 'The clock is in doubt, so nothing is deleted. `reason` says why.',
    'clock check failed': 'The clock could not be compared with the stored times.',
    'expired requests not erased': 'The database did not delete them. The server tries again in an hour.',
  },
  'Content, pages, pictures': {
    'content changed': 'The site shows the new content.',
    'content has a mistake':
      '`file`, `line` and `problem` say where. The site shows the content from before.',
    'content not saved': 'The last good content could not be stored for the next start.',
    'content check failed': 'The server could not test whether a mistake in the content has lasted.',
    'language not offered': 'A language lacks something. `problem` says what.',
    'languages not read': 'A file of a language has a mistake.',
    'languages withdrawn':
      'Languages are offered no more. `problem` names them; `language not offered` says why.',
    'pages not rendered': 'The site serves the pages from before.',
    'away page not written': 'The page for when the site is down could not be written.',
    'photo search failed': 'Pexels did not answer rightly.',
    'photo not fetched': 'One photo of Pexels could not be fetched.',
    'picture not shown': 'A picture in `content/photos` cannot be used. `reason` says why.',
    'pictures not updated': 'Pictures could not be made from the changed content.',
  },
  'The server': {
    listening: 'The site is served.',
    closing: 'The server ends. `reason` says why.',
    closed: 'It has ended.',
    'response sent': 'A request of a browser was answered (`debug`).',
    'request failed': 'A response is an error of ours.',
    'request malformed': 'A client sent what is not HTTP (`debug`).',
    'graphql failed': 'An operation ended with an error of ours.',
    'response not rendered': 'A page of a form without a script could not be written.',
    'staff page unavailable': 'The page for staff could not read the request.',
    'connection not accepted': 'The system gave no connection, as with too few open files.',
    'bot check unreachable': 'Google did not answer. Forms are taken and flagged.',
    'internal error': 'An error that nobody expected.',
    'similar lines left out': '`repeated` says how many warnings and errors were not written.',
  },
} as const;

type Events = (typeof bySubject)[keyof typeof bySubject];
type NameOf<Group> = Group extends unknown ? keyof Group & string : never;
type Name = NameOf<Events>;
/** What happens to the mail of a request, and told apart from it to that of the canary. */
export type MailEvent = Name & ('mail accepted' | 'delivery parked' | 'delivery postponed');
export type LogEvent = Name | `canary: ${MailEvent}`;

export const eventsBySubject: Readonly<Record<string, Readonly<Record<string, string>>>> = bySubject;
