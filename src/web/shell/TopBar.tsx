import { formNames } from '../../model/form-field.ts';
import { ExitLink } from '../leave/ExitLink.tsx';
import { PageLink } from '../navigation/PageLink.tsx';
import { useSite } from '../page-data-context.ts';
import { PageLinks } from './PageLinks.tsx';
import { SectionLinks } from './SectionLinks.tsx';
import { SideDrawer } from './SideDrawer.tsx';
import styles from './TopBar.module.css';
import { Words } from './Words.tsx';

/** Characters, language marks included. A longer name would make the bar higher on a phone. */
const longName = 44;

export function TopBar() {
  const site = useSite();
  return (
    <header className={styles.bar}>
      <SideDrawer />
      <PageLink
        to="home"
        className={site.organisation.length > longName ? `${styles.name} ${styles.long}` : styles.name}
      >
        <img className={styles.logo} src="/favicon.svg" alt="" width="60" height="60" />
        <span>
          <Words phrase={site.organisation} />
        </span>
      </PageLink>
      <SectionLinks className={styles.links} />
      <PageLinks pages={formNames} className={styles.links} />
      <ExitLink />
    </header>
  );
}
