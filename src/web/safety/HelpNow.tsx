import type { Helpline } from '../../model/helplines.ts';
import { fill } from '../../model/phrase.ts';
import { usePageData } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import styles from './HelpNow.module.css';

/** Where help is right now, before anyone has to fill in anything. */
export function HelpNow() {
  const { heading, danger, lines } = usePageData().helplines;
  return (
    <section id="help-now" aria-labelledby="help-now-heading" className={styles.block}>
      <h2 id="help-now-heading">
        <Words phrase={heading} />
      </h2>
      <p className={styles.danger}>
        <Words phrase={danger.message} />
      </p>
      <NumberLink kind="call" number={danger.phone} urgent />
      <p className={styles.silent}>
        <Words phrase={danger.silent} />
      </p>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line.name}>
            <LineText line={line} />
            <div className={styles.numbers}>
              {line.phone && <NumberLink kind="call" number={line.phone} />}
              {line.text && <NumberLink kind="text" number={line.text} />}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LineText({ line }: { line: Helpline }) {
  return (
    <div>
      <h3 className={styles.name}>
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
    </div>
  );
}

const schemes = { call: 'tel:', text: 'sms:' } as const;

interface NumberLinkProps {
  kind: keyof typeof schemes;
  number: string;
  urgent?: boolean;
}

/** One touch on a phone. The number itself is in the words, for whoever reads it here and rings from elsewhere. */
function NumberLink({ kind, number, urgent = false }: NumberLinkProps) {
  const { helplines } = usePageData();
  return (
    <a
      href={schemes[kind] + number.replaceAll(' ', '')}
      className={`${styles.number} ${urgent ? styles.urgent : ''}`}
    >
      <Words phrase={fill(helplines[kind], { number })} />
    </a>
  );
}
