import { asText, fill, type Phrase } from './phrase.ts';
import type { PageName } from './routes.ts';
import type { PageSite } from './site.ts';

/** Fills a sentence of site.yaml with the trust's name, addresses and number. */
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

/** For the browser's tab and history: with the trust's name, or the discreet title alone. */
export function pageTitle(site: PageSite, page: PageName): string {
  return site.discreetTitles ? asText(site.discreetTitle) : spokenTitle(site, page);
}

/** For a screen reader after a navigation. */
export function spokenTitle(site: PageSite, page: PageName): string {
  const heading = asText(fillFrom(site, site.pages[page].heading));
  const organisation = asText(site.organisation);
  return heading.includes(organisation) ? heading : `${heading} – ${organisation}`;
}

/** A page's label is the title of its card. */
export function nameOf(page: PageName, { cards, pages }: PageSite): string {
  return cards.find((card) => card.page === page)?.title ?? pages[page].breadcrumb;
}
