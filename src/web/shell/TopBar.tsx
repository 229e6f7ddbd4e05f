import { Link } from 'wouter';
import { formNames } from '../../model/form-field.ts';
import { routes } from '../../model/routes.ts';
import { ExitLink } from '../leave/ExitLink.tsx';
import { useSite } from '../page-data-context.ts';
import { PageLinks } from './PageLinks.tsx';
import { SectionLink } from './SectionLink.tsx';
import { SideDrawer } from './SideDrawer.tsx';
import styles from './TopBar.module.css';
import { Words } from './Words.tsx';

export function TopBar() {
  const site = useSite();
  return (
    <header className={styles.bar}>
      <SideDrawer />
      <Link href={routes.home.path} className={styles.name}>
        <img className={styles.logo} src="/favicon.svg" alt="" width="60" height="60" />
        <span>
          <Words phrase={site.organisation} />
        </span>
      </Link>
      {site.sectionLinks.length > 0 && (
        <nav className={styles.links} aria-label={site.shell.sectionList}>
          <ul>
            {site.sectionLinks.map((label) => (
              <li key={label}>
                <SectionLink label={label} />
              </li>
            ))}
          </ul>
        </nav>
      )}
      <PageLinks pages={formNames} className={styles.links} />
      <ExitLink />
    </header>
  );
}
