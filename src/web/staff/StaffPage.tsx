import type { PageData } from '../../model/page-data.ts';
import {
  type StaffMessage,
  type StaffRequest,
  type StaffStep,
  type StaffUnavailable,
  staffFields,
} from '../../model/staff-page.ts';
import type { StaffPageProps } from '../../model/view.ts';
import { PageDataContext } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import buttons from '../styles/buttons.module.css';
import { BeforeContact, Warning } from './ContactSafety.tsx';
import { StaffLetterPage } from './StaffLetterPage.tsx';

/** For staff, in English. Rendered on the server alone: the page has no script. */
export function StaffPage({ site, view }: StaffPageProps) {
  return (
    <PageDataContext value={partialPageData(site)}>
      <header className="staff-bar">
        {/* The address of this page has the key in it. */}
        <img src="/favicon.svg" alt="" width="48" height="48" referrerPolicy="no-referrer" />
        <span lang={site.language.tag}>
          <Words phrase={site.organisation} />
        </span>
      </header>
      <main className="staff">
        {view.kind === 'request' && <Request {...view} />}
        {view.kind === 'unavailable' && <Unavailable {...view} />}
        {view.kind === 'letter' && <StaffLetterPage {...view} />}
        {view.kind === 'nothing' && <Nothing />}
      </main>
    </PageDataContext>
  );
}

function Nothing() {
  return (
    <>
      <h1>There is nothing here</h1>
      <p>
        If you came from a mail: check that you opened its whole link. A link ends a week after the answer,
        and when its request is erased.
      </p>
      <p>
        Old links can also end when the site is restored from a backup or moved to another server. The newest
        reminder has a link that works.
      </p>
    </>
  );
}

function Unavailable({ reference, isPress }: StaffUnavailable) {
  return (
    <>
      <h1>Please try again in a minute</h1>
      <p>The database does not respond just now. What was recorded before is safe.</p>
      {isPress && <p>Your press may not have been recorded. Try again in a minute.</p>}
      <p>
        {/* This page, without what its address says of an earlier press. */}
        <a href="?" className={buttons.primary}>
          Try again
        </a>
      </p>
      <p>
        If it stays like this, somebody with access to the server can record it there. “I am on it” is{' '}
        <code>./awhina taken {reference} --by AB</code>, “It is answered” is{' '}
        <code>./awhina answered {reference} --by AB</code>
      </p>
    </>
  );
}

function Request(request: StaffRequest) {
  const { reference, noun, formTitle, receivedAt, isUrgent, warning, taken, answered, message } = request;
  return (
    <>
      {warning && <Warning {...warning} />}
      {message && <Message request={request} message={message} />}
      <h1>
        {noun === 'message' ? 'Message' : 'Request'} <span className="staff-reference">{reference}</span>
      </h1>
      <dl className="staff-facts">
        <dt>Form</dt>
        <dd>{formTitle}</dd>
        <dt>Received</dt>
        <dd>{receivedAt}</dd>
        <dt>Urgent</dt>
        <dd>{isUrgent ? <strong className="staff-urgent">URGENT</strong> : 'No'}</dd>
      </dl>
      <p className="staff-state">{describeState(request)}</p>
      <BeforeContact {...request} />
      {!answered && <Steps request={request} />}
      {answered && <Undo step="answered" of={answered} label="Undo: it is not answered" />}
      {taken && !answered && <Undo step="taken" of={taken} label="Undo: nobody is on it" />}
    </>
  );
}

function describeState({ taken, answered }: Pick<StaffRequest, 'taken' | 'answered'>): string {
  if (answered) return `Answered on ${answered.at}.`;
  return taken ? `Somebody on your team has been on it since ${taken.at}.` : 'Nobody is on it yet.';
}

const undoHint = 'If that was a mistake, press Undo below.';

const problems: readonly StaffMessage[] = ['name', 'refused'];

function Message({ request, message }: { request: StaffRequest; message: StaffMessage }) {
  return (
    <p id="message" className={problems.includes(message) ? 'staff-problem' : 'staff-message'}>
      {describeMessage(request, message)}
    </p>
  );
}

/** In words that are still true when the page is loaded again. */
function describeMessage({ taken, answered }: StaffRequest, message: StaffMessage): string {
  const now = describeState({ taken, answered });
  switch (message) {
    case 'taken':
      return `Recorded: somebody on your team is on it. ${undoHint}`;
    case 'answered':
      return `Recorded: it is answered, and there will be no more reminders. ${undoHint}`;
    case 'undone':
      return `That is undone. ${now}`;
    case 'late':
      return `Somebody was first. ${now} Nothing was changed.`;
    case 'changed':
      return `Nothing was undone: somebody changed it meanwhile. ${now}`;
    case 'name':
      return 'Nothing is recorded yet. Please write your initials or first name: 1 to 20 letters.';
    case 'refused':
      return 'Nothing was recorded: that did not come from a button on this page. Please press the button here.';
    default:
      return message satisfies never;
  }
}

function Steps({ request: { taken, message, typed } }: { request: StaffRequest }) {
  const isWrong = message === 'name';
  return (
    <form method="post" action="?" autoComplete="off">
      <label htmlFor="by">Your initials or first name</label>
      <p id="by-hint" className="staff-small">
        Your team gets it by mail. It is not shown on this page.
      </p>
      <input
        id="by"
        name={staffFields.name}
        defaultValue={typed}
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        maxLength={20}
        // Not `required`: the browser's own message is in the browser's language, and gone a moment later.
        aria-required
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? 'message by-hint' : 'by-hint'}
        // biome-ignore lint/a11y/noAutofocus: after a mistake, the field that has it
        autoFocus={isWrong}
      />
      <div className="staff-buttons">
        {!taken && <Step value="taken" label="I am on it" />}
        <Step value="answered" label="It is answered" />
      </div>
      <p className="staff-small">
        {taken
          ? '“It is answered” ends the reminders.'
          : 'Either button ends the urgent reminders. “It is answered” ends all reminders.'}
      </p>
    </form>
  );
}

function Step({ value, label }: { value: 'taken' | 'answered'; label: string }) {
  return (
    <button type="submit" name={staffFields.step} value={value} className={buttons.primary}>
      {label}
    </button>
  );
}

function Undo({ step, of, label }: { step: 'taken' | 'answered'; of: StaffStep; label: string }) {
  return (
    <form method="post" action="?">
      <input type="hidden" name={staffFields.since} value={of.since} />
      <button type="submit" name={staffFields.undo} value={step} className={buttons.secondary}>
        {label}
      </button>
    </form>
  );
}

/** As much of the page data as `Words` needs. */
const partialPageData = (site: StaffPageProps['site']) =>
  ({ site, language: { ...site.language, prefix: '' } }) as unknown as PageData;
