import { fill, type Phrase, plain } from './phrase.ts';
import type { PageName } from './routes.ts';
import type { Site } from './site.ts';

/** A sentence of site.yaml with the trust's own name and address in it. */
export function fillFrom(site: Site, phrase: Phrase): Phrase {
  return fill(phrase, {
    organisation: site.organisation,
    email: site.email,
    address: site.address,
    social: site.social.name,
  });
}

/** What the browser's tab says, and a screen reader after a navigation: always with the trust's name. */
export function pageTitle(site: Site, page: PageName): string {
  const heading = plain(fillFrom(site, site.pages[page].heading));
  const organisation = plain(site.organisation);
  return heading.includes(organisation) ? heading : `${heading} – ${organisation}`;
}
