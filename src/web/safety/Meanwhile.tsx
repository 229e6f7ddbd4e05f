import type { Helpline, Helplines } from '../../model/helplines.ts';
import { fill } from '../../model/phrase.ts';
import { usePageData } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import styles from './Meanwhile.module.css';
import { NumberLink } from './NumberLink.tsx';

/** The helpline that the trust marked as always answering. */
export const findAlwaysOpen = ({ lines }: Pick<Helplines, 'lines'>) => lines.find(({ always }) => always);

/** Whom to call before the trust has read the request: 111, and a helpline. */
export function Meanwhile({ line }: { line: Helpline | undefined }) {
  const { site, helplines } = usePageData();
  const { danger, sentence } = helplines;
  const hours = line?.hours ? ` ${fill(sentence, { words: line.hours })}` : '';
  const named = line && fill(site.form.receipt.next.meanwhile, { helpline: line.name }) + hours;
  return (
    <div>
      <p id="meanwhile">
        <Words phrase={named ?? danger.message} />
      </p>
      <div className={styles.numbers}>
        <NumberLink kind="call" number={danger.phone} whose="meanwhile" urgent />
        {line?.phone && <NumberLink kind="call" number={line.phone} whose="meanwhile" />}
        {line?.text && <NumberLink kind="text" number={line.text} whose="meanwhile" />}
      </div>
    </div>
  );
}
