import { type RefObject, useEffect } from 'react';
import { pageNames } from '../../model/routes.ts';
import { ExitLink } from '../leave/ExitLink.tsx';
import { useSite } from '../page-data-context.ts';
import iconButton from './icon-button.module.css';
import { CloseIcon } from './icons.tsx';
import { PageLinks } from './PageLinks.tsx';
import { SectionLink } from './SectionLink.tsx';
import styles from './SideDrawer.module.css';
import { Words } from './Words.tsx';

/** A modal `<dialog>`: the browser keeps the focus in it, closes it on Esc and gives the focus back. */
export function SideDrawer({
  ref,
  onClose,
}: {
  ref: RefObject<HTMLDialogElement | null>;
  onClose: () => void;
}) {
  const site = useSite();
  const close = () => ref.current?.close();

  useEffect(() => {
    // Where the window grows past the drawer's breakpoint, an open one would leave the page unreachable behind it.
    const wide = matchMedia('(min-width: 960px)');
    const closeIfWide = () => wide.matches && ref.current?.close();
    wide.addEventListener('change', closeIfWide);
    return () => wide.removeEventListener('change', closeIfWide);
  }, [ref]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way, and the dialog's own
    <dialog
      ref={ref}
      className={styles.drawer}
      aria-label={site.shell.menu}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div className={styles.content}>
        <button type="button" className={iconButton.button} onClick={close}>
          <CloseIcon />
          <span className="visually-hidden">
            <Words phrase={site.shell.closeMenu} />
          </span>
        </button>
        <ExitLink className={styles.exit} />
        {site.sectionLinks.length > 0 && (
          <nav aria-label={site.shell.sectionList} className={styles.links}>
            <ul>
              {site.sectionLinks.map((label) => (
                <li key={label}>
                  <SectionLink label={label} onChoose={close} />
                </li>
              ))}
            </ul>
          </nav>
        )}
        <PageLinks pages={pageNames} className={styles.links} onChoose={close} />
      </div>
    </dialog>
  );
}
