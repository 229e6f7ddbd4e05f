import { type StaffRequest, type StaffStep, staffFields } from '../../model/staff-page.ts';
import buttons from '../styles/buttons.module.css';

/** What staff did, and what the person asked for since. One name for all of them. */
export function Steps({ request }: { request: StaffRequest }) {
  const { taken, answered, noContact, withdrawn, message, typed } = request;
  const isWrong = message === 'name';
  const isOpen = !answered && !withdrawn;
  return (
    <form method="post" action="?" autoComplete="off">
      <label htmlFor="by">Your initials or first name</label>
      <p id="by-hint" className="staff-small">
        Your team gets it by mail. Nobody else sees it on this page.
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
      {isOpen && !taken && (
        <Step
          value="taken"
          look={buttons.primary}
          label="I’ll take this"
          hint="Ends the urgent reminders, and tells your team."
        />
      )}
      {isOpen && (
        <fieldset>
          <legend>{noContact ? 'When nothing is left to do' : 'When you have tried to reach them'}</legend>
          <Step
            value="answered"
            look={taken ? buttons.primary : buttons.secondary}
            label="I’ve answered"
            hint={`${noContact ? '' : 'I spoke with them, or nothing is left to do. '}Ends all reminders.`}
          />
          {!noContact && (
            <Step
              value="unreached"
              look={buttons.secondary}
              label="I could not reach them"
              hint="The reminders go on."
            />
          )}
        </fieldset>
      )}
      <fieldset className="staff-apart">
        <legend>If they asked you to stop</legend>
        {!noContact && (
          <Step
            value="no-contact"
            label="They asked us not to contact them any more"
            hint="All mails and lists then say DO NOT CONTACT."
          />
        )}
        {!withdrawn && (
          <Step
            value="withdrawn"
            label="They withdrew it"
            hint="Ends all reminders. It is erased after 7 days. Until then you can undo it."
          />
        )}
      </fieldset>
    </form>
  );
}

interface StepProps {
  value: string;
  label: string;
  hint: string;
  look?: string | undefined;
}

function Step({ value, label, hint, look = 'staff-quiet' }: StepProps) {
  return (
    <div className="staff-step">
      <button
        type="submit"
        name={staffFields.step}
        value={value}
        className={look}
        aria-describedby={`${value}-hint`}
      >
        {label}
      </button>
      <p id={`${value}-hint`} className="staff-small">
        {hint}
      </p>
    </div>
  );
}

interface UndoProps {
  step: string;
  of: StaffStep;
  typed: string;
  label: string;
}

export function Undo({ step, of, typed, label }: UndoProps) {
  return (
    <form method="post" action="?">
      <input type="hidden" name={staffFields.since} value={of.since} />
      {typed && <input type="hidden" name={staffFields.name} value={typed} />}
      <button type="submit" name={staffFields.undo} value={step} className={buttons.secondary}>
        {label}
      </button>
    </form>
  );
}
