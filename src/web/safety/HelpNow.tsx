import type { Helpline } from '../../model/helplines.ts';
import { usePageData } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import styles from './HelpNow.module.css';
import { NumberLink } from './NumberLink.tsx';

/** Where help is right now, before anyone has to fill in anything. */
export function HelpNow() {
  const { heading, danger, lines } = usePageData().helplines;
  return (
    <section id="help-now" aria-labelledby="help-now-heading" className={styles.block}>
      <h2 id="help-now-heading">
        <Words phrase={heading} />
      </h2>
      <p>
        <Words phrase={danger.silent} />
      </p>
      <ul className={styles.lines}>
        {lines.map((line, index) => (
          <Line key={line.name} line={line} id={`line-${index}`} />
        ))}
      </ul>
    </section>
  );
}

function Line({ line, id }: { line: Helpline; id: string }) {
  return (
    <li>
      <h3 id={id} className={styles.name}>
        <Words phrase={line.name} />
      </h3>
      <p className={styles.about}>
        <Words phrase={line.for} />.
        {line.hours && (
          <>
            {' '}
            <Words phrase={line.hours} />.
          </>
        )}
      </p>
      <div className={styles.numbers}>
        {line.phone && <NumberLink kind="call" number={line.phone} whose={id} />}
        {line.text && <NumberLink kind="text" number={line.text} whose={id} />}
      </div>
    </li>
  );
}
