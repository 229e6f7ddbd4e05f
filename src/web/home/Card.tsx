import type { ShownPhoto } from '../../model/photo.ts';
import type { PageSite } from '../../model/site.ts';
import { prepareFormPage } from '../form/page/load-form-page.ts';
import { PageLink } from '../navigation/PageLink.tsx';
import { ArrowIcon } from '../shell/icons.tsx';
import { Picture } from '../shell/Picture.tsx';
import { Words } from '../shell/Words.tsx';
import styles from './Card.module.css';

/** The whole card is one link, for the largest touch target. */
export function Card({ card, photo }: { card: PageSite['cards'][number]; photo: ShownPhoto | null }) {
  return (
    <PageLink
      to={card.page}
      className={styles.card}
      onPointerEnter={prepareFormPage}
      onFocus={prepareFormPage}
    >
      <div className={styles.text}>
        <h2 className={styles.title}>
          <Words phrase={card.title} />
          <ArrowIcon />
        </h2>
        <p className={styles.description}>
          <Words phrase={card.description} />
        </p>
      </div>
      <div className={styles.photo}>
        <Picture photo={photo} use="card" />
      </div>
    </PageLink>
  );
}
