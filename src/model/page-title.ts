import { asText, fill, type Phrase } from './phrase.ts';
import type { PageName } from './routes.ts';
import type { PageSite } from './site.ts';

/** A sentence of site.yaml with the trust's own name, addresses and number in it. */
export function fillFrom(site: PageSite, phrase: Phrase): Phrase {
  return fill(phrase, {
    organisation: site.organisation,
    email: site.email,
    address: site.address,
    phone: site.phone,
    hours: site.hours,
    answerWithin: site.answerWithin,
    social: site.social[0]?.name,
  });
}

/** What the browser's tab and its history say: always with the trust's name, or nothing of it at all. */
export function pageTitle(site: PageSite, page: PageName): string {
  return site.discreetTitles ? asText(site.discreetTitle) : spokenTitle(site, page);
}

/** What a screen reader says after a navigation. */
export function spokenTitle(site: PageSite, page: PageName): string {
  const heading = asText(fillFrom(site, site.pages[page].heading));
  const organisation = asText(site.organisation);
  return heading.includes(organisation) ? heading : `${heading} – ${organisation}`;
}
