import { asText } from '../../model/phrase.ts';
import { pageNames } from '../../model/routes.ts';
import { ExitLink } from '../leave/ExitLink.tsx';
import { useSite } from '../page-data-context.ts';
import iconButton from './icon-button.module.css';
import { CloseIcon, MenuIcon } from './icons.tsx';
import { PageLinks } from './PageLinks.tsx';
import { SectionLinks } from './SectionLinks.tsx';
import styles from './SideDrawer.module.css';
import { Words } from './Words.tsx';
import './drawer-slide.css';

/** A `<details>`, which opens without a script. With scripts, menu-early.ts opens its dialog as a modal one. */
export function SideDrawer() {
  const site = useSite();
  return (
    <details className={styles.menu}>
      <summary className={iconButton.button} aria-haspopup="dialog">
        <MenuIcon />
        <CloseIcon />
        <span className="visually-hidden">
          <Words phrase={site.shell.menu} />
        </span>
      </summary>
      <dialog className={styles.drawer} aria-label={asText(site.shell.menu)}>
        <div className={styles.content}>
          <button type="button" className={iconButton.button}>
            <CloseIcon />
            <span className="visually-hidden">
              <Words phrase={site.shell.closeMenu} />
            </span>
          </button>
          <ExitLink className={styles.exit} />
          <SectionLinks className={styles.links} />
          <PageLinks pages={pageNames} className={styles.links} />
        </div>
      </dialog>
    </details>
  );
}
