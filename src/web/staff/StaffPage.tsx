import type { PageData } from '../../model/page-data.ts';
import type { StaffMessage, StaffRequest, StaffUnavailable } from '../../model/staff-page.ts';
import type { StaffPageProps } from '../../model/view.ts';
import { PageDataContext } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import buttons from '../styles/buttons.module.css';
import { BeforeContact, Warning } from './ContactSafety.tsx';
import { StaffLetterPage } from './StaffLetterPage.tsx';
import { Steps, Undo } from './StaffSteps.tsx';

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
        If it stays like this, somebody with access to the server can record it there. “I’ll take this” is{' '}
        <code>./awhina taken {reference} --by AB</code>, “I’ve answered” is{' '}
        <code>./awhina answered {reference} --by AB</code>
      </p>
    </>
  );
}

function Request(request: StaffRequest) {
  const { reference, noun, formTitle, receivedAt, isUrgent, warning, message, typed } = request;
  const { taken, answered, noContact, withdrawn } = request;
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
      {withdrawn && (
        <Undo {...{ step: 'withdrawn', of: withdrawn, typed }} label="Undo: they did not withdraw it" />
      )}
      {!(noContact && withdrawn) && <Steps request={request} />}
      {answered && <Undo {...{ step: 'answered', of: answered, typed }} label="Undo: it is not answered" />}
      {taken && !answered && <Undo {...{ step: 'taken', of: taken, typed }} label="Undo: nobody is on it" />}
      {noContact && (
        <Undo {...{ step: 'no-contact', of: noContact, typed }} label="Undo: they did not ask us to stop" />
      )}
    </>
  );
}

type State = Pick<StaffRequest, 'taken' | 'answered' | 'withdrawn'>;

function describeState({ taken, answered, withdrawn }: State): string {
  if (withdrawn)
    return `They withdrew it on ${withdrawn.at}. Nobody is reminded. It will be erased on ${withdrawn.erased}, unless you undo that.`;
  if (answered) return `Answered on ${answered.at}.`;
  return taken ? `Somebody on your team has been on it since ${taken.at}.` : 'Nobody is on it yet.';
}

const undoHint = 'If that was a mistake, press Undo below.';

const problems: readonly StaffMessage[] = ['name', 'many', 'refused'];

function Message({ request, message }: { request: StaffRequest; message: StaffMessage }) {
  return (
    <p id="message" className={problems.includes(message) ? 'staff-problem' : 'staff-message'}>
      {describeMessage(request, message)}
    </p>
  );
}

/** In words that are still true when the page is loaded again. */
function describeMessage(request: StaffRequest, message: StaffMessage): string {
  const { answered, withdrawn, noContact, reference } = request;
  const now = describeState(request);
  switch (message) {
    case 'taken':
      return `Recorded: somebody on your team is on it. ${undoHint}`;
    case 'answered':
      return `Recorded: it is answered, and there will be no more reminders. ${undoHint}`;
    case 'no-contact':
      return `Recorded: do not contact this person any more. Your team gets a mail. ${undoHint}`;
    case 'withdrawn':
      return 'Recorded: they withdrew it. Your team gets a mail. If that was a mistake, press Undo.';
    case 'unreached':
      return `Recorded: you could not reach them.${answered || withdrawn ? '' : ' The reminders go on.'}`;
    case 'undone':
      return `That is undone. ${now}`;
    case 'late':
      return `Somebody was first. ${noContact ? 'Nobody may contact this person. ' : ''}${now} Nothing was changed.`;
    case 'changed':
      return `Nothing was undone: somebody changed it meanwhile. ${now}`;
    case 'name':
      return 'Nothing is recorded yet. Please write your initials or first name: 1 to 20 letters.';
    case 'many':
      return `Nothing was recorded: too much is recorded about this one already. The person who runs the website can do it: ./awhina change ${reference}`;
    case 'refused':
      return 'Nothing was recorded: that did not come from a button on this page. Please press the button here.';
    default:
      return message satisfies never;
  }
}

/** As much of the page data as `Words` needs. */
const partialPageData = (site: StaffPageProps['site']) =>
  ({ site, language: { ...site.language, prefix: '' } }) as unknown as PageData;
