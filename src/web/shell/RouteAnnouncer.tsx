import { useLayoutEffect, useRef, useState } from 'react';
import { type PageName, pathOf } from '../../model/routes.ts';
import { pageTitle, spokenTitle } from '../../model/site-words.ts';
import { isBeingLeft } from '../navigation/path.ts';
import { usePageData } from '../page-data-context.ts';

/**
 * What a browser does when a page loads and a client-side navigation must do: scroll to the top, set the title, and tell a
 * screen reader. VoiceOver and TalkBack do not always read the focused heading, so the title is announced as well.
 */
export function RouteAnnouncer({ page }: { page: PageName }) {
  const { site, language } = usePageData();
  const path = pathOf(page, language.prefix);
  const last = useRef({ page, path });
  const [announcement, setAnnouncement] = useState('');

  useLayoutEffect(() => {
    if (last.current.path === path || isBeingLeft()) return;
    const isSamePage = last.current.page === page;
    last.current = { page, path };
    document.title = pageTitle(site, page);
    setCanonical(path);
    setAnnouncement(spokenTitle(site, page));
    // In another language, the same page stays where it is.
    if (isSamePage) return;
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [page, path, site]);

  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  );
}

/** Phones share the canonical URL instead of the current one. */
function setCanonical(path: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=canonical]');
  if (link) link.href = new URL(path, link.href).href;
}
