import { type RefObject, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { type PageName, pageAt, pageNames, routes } from '../../model/routes.ts';
import type { Site } from '../../model/site.ts';
import { prepareFormPage } from '../form/load-form-page.ts';
import { ExitLink } from '../leave/ExitLink.tsx';
import { useSite } from '../page-data-context.ts';
import iconButton from './icon-button.module.css';
import { CloseIcon } from './icons.tsx';
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
  const here = pageAt(useLocation()[0]);
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
          <nav aria-label={site.shell.sectionList}>
            <ul className={styles.links}>
              {site.sectionLinks.map((label) => (
                <li key={label}>
                  <SectionLink label={label} onChoose={close} />
                </li>
              ))}
            </ul>
          </nav>
        )}
        <nav aria-label={site.shell.pageList}>
          <ul className={styles.links}>
            {pageNames.map((page) => (
              <li key={page}>
                <Link
                  href={routes[page].path}
                  aria-current={page === here ? 'page' : undefined}
                  onClick={close}
                  onPointerEnter={prepareFormPage}
                >
                  <Words phrase={nameOf(page, site)} />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </dialog>
  );
}

/** A page is called what its card calls it. */
function nameOf(page: PageName, { cards }: Site): string {
  return cards.find((card) => card.page === page)?.title ?? routes[page].breadcrumb;
}
