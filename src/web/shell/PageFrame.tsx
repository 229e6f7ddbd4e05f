import type { ReactNode } from 'react';
import { asText } from '../../model/phrase.ts';
import type { PageName } from '../../model/routes.ts';
import { PageLink } from '../navigation/PageLink.tsx';
import { usePageData } from '../page-data-context.ts';
import styles from './PageFrame.module.css';
import { PhotoCredit } from './PhotoCredit.tsx';
import { Picture } from './Picture.tsx';
import { Words } from './Words.tsx';

interface PageFrameProps {
  page: PageName;
  /** First on the page, at full width. */
  lead?: ReactNode;
  /** Right after the heading, or beside the content in a wide window. */
  now?: ReactNode;
  /** Below the content, or beside it in a wide window. */
  aside?: ReactNode;
  children: ReactNode;
}

/**
 * Around every page but the home page: breadcrumb, heading, subtitle and photo. On a phone the photo comes last, because
 * above the form it would push the first question down by a third of the screen.
 */
export function PageFrame({ page, lead, now, aside, children }: PageFrameProps) {
  const { site, photos, closed } = usePageData();
  const text = site.pages[page];
  return (
    <>
      {lead}
      {closed && (
        <p id="closed">
          <Words phrase={closed.notice} />
        </p>
      )}
      <div className={styles.frame}>
        <nav aria-label={asText(site.shell.breadcrumb)} className={styles.breadcrumb}>
          <ol>
            <li>
              <PageLink to="home">
                <Words phrase={site.pages.home.breadcrumb} />
              </PageLink>
            </li>
            <li>
              <span aria-current="page" aria-disabled="true">
                <Words phrase={text.breadcrumb} />
              </span>
            </li>
          </ol>
        </nav>
        {/* RouteAnnouncer focuses the heading after a navigation. */}
        <h1
          tabIndex={-1}
          className={styles.title}
          aria-describedby={(lead ? 'danger' : '') + (closed ? ' closed' : '') || undefined}
        >
          <Words phrase={text.heading} />
        </h1>
        {now && <div className={styles.now}>{now}</div>}
        {text.subtitle && (
          <p className={styles.subtitle}>
            <Words phrase={text.subtitle} />
          </p>
        )}
        <div className={styles.content}>{children}</div>
        {aside && <div className={styles.aside}>{aside}</div>}
        {text.photo && (
          <div className={styles.picture}>
            <div className={styles.photo}>
              <Picture photo={photos.headers[page]} use="header" />
            </div>
            <PhotoCredit photos={[photos.headers[page]]} />
          </div>
        )}
      </div>
    </>
  );
}
