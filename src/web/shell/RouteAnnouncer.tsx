import { useLayoutEffect, useRef, useState } from 'react';
import { type PageName, routes } from '../../model/routes.ts';
import { pageTitle, spokenTitle } from '../../model/site-words.ts';
import { isBeingLeft } from '../navigation/path.ts';
import { useSite } from '../page-data-context.ts';

/**
 * What a browser does when a page loads and a client-side navigation must do: scroll to the top, set the title, and tell a
 * screen reader. VoiceOver and TalkBack do not always read the focused heading, so the title is announced as well.
 */
export function RouteAnnouncer({ page }: { page: PageName }) {
  const site = useSite();
  const last = useRef(page);
  const [announcement, setAnnouncement] = useState('');

  useLayoutEffect(() => {
    if (last.current === page || isBeingLeft()) return;
    last.current = page;
    document.title = pageTitle(site, page);
    setCanonical(routes[page].path);
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    setAnnouncement(spokenTitle(site, page));
  }, [page, site]);

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
