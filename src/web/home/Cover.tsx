import type { ShownPhoto } from '../../model/photo.ts';
import { useSite } from '../page-data-context.ts';
import { Picture } from '../shell/Picture.tsx';
import { Words } from '../shell/Words.tsx';
import styles from './Cover.module.css';

const dash = ' - ';

/** The greeting is large, on a line of its own. The dash after it is for screen readers alone. */
export function Cover({ photo }: { photo: ShownPhoto | null }) {
  const { text } = useSite().cover;
  const [greeting = '', ...rest] = text.split(dash);
  return (
    <section id="welcome" className={styles.cover}>
      <Picture photo={photo} use="cover" />
      <div className={styles.shade}>
        <h1 tabIndex={-1} className={styles.text}>
          <span className={styles.greeting}>
            <Words phrase={greeting} />
          </span>
          {rest.length > 0 && (
            <>
              <span className="visually-hidden">{dash}</span>
              <span className={styles.rest}>
                <Words phrase={rest.join(dash)} />
              </span>
            </>
          )}
        </h1>
      </div>
    </section>
  );
}
