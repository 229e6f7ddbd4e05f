import type { Helpline } from '../../model/helplines.ts';
import { inLanguage } from '../../model/language.ts';
import { stayingSafePath } from '../../model/own-page.ts';
import { fill } from '../../model/phrase.ts';
import { usePageData } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import { Fold } from './Fold.tsx';
import styles from './HelpNow.module.css';
import { NumberLink } from './NumberLink.tsx';

/** Helplines shown unfolded: few enough that the form begins on the second screen of a small phone. */
const unfoldedCount = 2;

/** The helplines, with a link past them to the form, and what the exit does and cannot do. */
export function HelpNow() {
  const { site, helplines, menu, language } = usePageData();
  const { heading, lines, more, toForm } = helplines;
  const { about } = site.leave;
  const safety = menu?.find(({ path }) => path === stayingSafePath);
  const listed = lines.map((line, index) => <Line key={line.name} line={line} id={`line-${index}`} />);
  return (
    <section id="help-now" aria-labelledby="help-now-heading" className={styles.block}>
      <div className={styles.scroller}>
        <h2 id="help-now-heading">
          <Words phrase={heading} />
        </h2>
        <ul className={styles.lines}>{listed.slice(0, unfoldedCount)}</ul>
        <a href="#ask" className={styles.toForm}>
          <Words phrase={toForm} />
        </a>
        {listed.length > unfoldedCount && (
          <Fold summary={more}>
            <ul className={styles.lines}>{listed.slice(unfoldedCount)}</ul>
          </Fold>
        )}
      </div>
      <Fold summary={about.heading}>
        <p>
          <Words phrase={about.text} />
        </p>
        {safety && (
          <p>
            <a href={inLanguage(language.prefix, safety.path)}>
              <Words phrase={safety.label} />
            </a>
          </p>
        )}
      </Fold>
    </section>
  );
}

export function Line({ line, id }: { line: Helpline; id: string }) {
  const { sentence } = usePageData().helplines;
  const sentences = [line.for, line.hours].flatMap((words) => (words ? fill(sentence, { words }) : []));
  return (
    <li>
      <h3 id={id}>
        <Words phrase={line.name} />
      </h3>
      <p>
        <Words phrase={sentences.join(' ')} />
      </p>
      <div>
        {line.phone && <NumberLink kind="call" number={line.phone} whose={id} />}
        {line.text && <NumberLink kind="text" number={line.text} whose={id} />}
        {line.chat && <NumberLink kind="chat" number={line.chat} whose={id} />}
        {line.url && <NumberLink kind="url" number={line.url} whose={id} />}
      </div>
    </li>
  );
}
