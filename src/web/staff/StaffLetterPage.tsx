import type { StaffLetter } from '../../model/staff-page.ts';
import buttons from '../styles/buttons.module.css';

/** Asks whoever opened the link in a letter for one press. */
export function StaffLetterPage({ isTest, message }: StaffLetter) {
  return (
    <>
      {message && (
        <p id="message" className={message === 'read' ? 'staff-message' : 'staff-problem'}>
          {messages[message]}
        </p>
      )}
      <h1>{isTest ? 'A test from the website' : 'The Monday letter from the website'}</h1>
      {message === 'read' ? (
        <p>Thank you. You can close this page.</p>
      ) : (
        <>
          <p>
            {isTest
              ? 'Somebody sent this test to see whether mail from the website reaches a person.'
              : 'Press the button once a week, so that the website knows that somebody reads this mailbox.'}
          </p>
          <form method="post" action="?">
            <button type="submit" className={buttons.primary}>
              {isTest ? 'Yes, it arrived' : 'I have read this letter'}
            </button>
          </form>
        </>
      )}
    </>
  );
}

const messages: Record<NonNullable<StaffLetter['message']>, string> = {
  read: 'Recorded: the mail reached a person.',
  refused:
    'Nothing was recorded: that did not come from the button on this page. Please press the button here.',
  unavailable: 'The database does not respond just now. Please press again in a minute.',
};
