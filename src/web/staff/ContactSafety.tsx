import type { CallCard, ContactWarning, StaffRequest } from '../../model/staff-page.ts';

/** Above everything else, in the colours of the mail: nobody shall press a button before they have read it. */
export function Warning({ tone, shout, lines }: ContactWarning) {
  return (
    <div role="alert" className={tone === 'stop' ? 'staff-stop' : 'staff-caution'}>
      <p className="staff-shout">{shout}</p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

/** What to know before contacting this person, if nothing above forbids it. */
export function BeforeContact({ warning, callCard, answered }: StaffRequest) {
  if (warning) return null;
  return (
    <>
      <p className="staff-hint">
        Read the mail first: it says whether, when and how this person may be contacted.
      </p>
      {callCard && !answered && <Card {...callCard} />}
    </>
  );
}

function Card({ limits, steps }: CallCard) {
  return (
    <section className="staff-card" aria-labelledby="card">
      <h2 id="card">Before you call or text</h2>
      {limits.map((limit) => (
        <p key={limit} className="staff-shout">
          {limit}
        </p>
      ))}
      {steps.length > 0 && (
        <ul>
          {steps.map(([first, rest]) => (
            <li key={first}>
              <strong>{first}</strong> {rest}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
