import { type PageName, pageNames, routes } from '../../src/model/routes.ts';
import { type Finding, median } from '../report.ts';
import { type ChangedSite, fetchPages, startChangedSite } from './changed-site.ts';
import { type ModelledPhone, openModelledPhone, startVisitedSite } from './modelled-phone.ts';

/**
 * Each page as it is and without scripts, in turn, another one first each time; whatever else the machine does falls on both.
 * One visit is up to a quarter off on a busy machine, and of seven the median was a tenth off.
 */
const rounds = 11;

/** How much later what one sees first may be than on the same page without any script. */
const atMost = 1.1;

interface Visits {
  /** When the largest part of the first view is painted, in ms of the phone that Lighthouse models. */
  asSent: number[];
  without: number[];
}

export async function measureFirstView(): Promise<Finding[]> {
  const site = await startVisitedSite();
  const pages = await fetchPages(site.url);
  const asSent = await startChangedSite(site.url, pages, (html) => html);
  const without = await startChangedSite(site.url, pages, withoutScripts);
  const phone = await openModelledPhone();
  try {
    const findings: Finding[] = [];
    for (const page of pageNames)
      findings.push(...tell(page, await visitInTurn(phone, page, asSent, without)));
    return findings;
  } finally {
    await phone.close();
    await without.close();
    await asSent.close();
    await site.stop();
  }
}

/** Also without the page's data and what waits in a template, which are nothing to see. */
export const withoutScripts = (html: string): string =>
  html.replace(/<template.*?<\/template>|<script.*?<\/script>|<link rel="modulepreload".*?>/gs, '');

async function visitInTurn(
  phone: ModelledPhone,
  page: PageName,
  asSent: ChangedSite,
  without: ChangedSite,
): Promise<Visits> {
  const visits: Visits = { asSent: [], without: [] };
  const visit = async (which: keyof Visits) =>
    visits[which].push(await largestPaint(phone, { asSent, without }[which], page));
  for (let round = 0; round < rounds; round++) {
    const order = ['asSent', 'without'] as const;
    for (const which of round % 2 === 0 ? order : order.toReversed()) await visit(which);
  }
  return visits;
}

/** A busy machine may paint nothing until Lighthouse gives up; that visit says nothing about the page. */
const triesAtMost = 5;

async function largestPaint(phone: ModelledPhone, { url }: ChangedSite, page: PageName): Promise<number> {
  const audit = 'largest-contentful-paint';
  for (let tries = 0; tries < triesAtMost; tries++) {
    const { audits } = await phone.visit(url + routes[page].path, { onlyAudits: [audit] });
    const ms = audits[audit]?.numericValue;
    if (ms !== undefined && ms > 0) return ms;
  }
  throw new Error(`Lighthouse saw no first view of ${page}`);
}

function tell(page: PageName, { asSent, without }: Visits): Finding[] {
  const times = (what: string, ms: readonly number[]): Finding[] => [
    { name: `${page}${what}: largest paint, ms`, value: Math.round(median(ms)) },
    { name: `${page}${what}: least of ${rounds}, ms`, value: Math.round(Math.min(...ms)) },
    { name: `${page}${what}: most of ${rounds}, ms`, value: Math.round(Math.max(...ms)) },
  ];
  return [
    ...times('', asSent),
    ...times(' without scripts', without),
    { name: `${page}: largest paint, ratio`, value: median(asSent) / median(without), atMost },
  ];
}
