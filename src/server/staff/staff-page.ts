import { escapeHtml } from '../../model/escape-html.ts';
import type { Site } from '../../model/site.ts';
import type { StaffMessage, StaffRequest, StaffStep, StaffView } from '../../model/staff-page.ts';
import type { Content } from '../content/content.ts';
import { themeColour, themeCss } from '../content/theme.ts';
import { formatErasing } from '../delivery/letter/change-words.ts';
import { nouns } from '../delivery/letter/submission-letter.ts';
import { formTitle } from '../delivery/letter/submission-mail.ts';
import { staffPolicy } from '../pages/content-policy.ts';
import type { Renderer } from '../pages/renderer.ts';
import type { StoredSubmission } from '../store/contract/submission.ts';
import { formatNzTime } from '../time/nz-time.ts';
import { describeContactSafety } from './contact-safety.ts';

/** What the page shows of a request. Nothing of its answers but what contact-safety.ts makes of them. */
export function describeRequest(
  submission: StoredSubmission,
  site: Site,
  message: StaffMessage | null = null,
  typed = '',
): StaffRequest {
  const { reference, form, receivedAt, delivery, followUp } = submission;
  const withdrawn = describeStep(followUp.withdrawnAt);
  return {
    kind: 'request',
    reference,
    noun: nouns[form],
    formTitle: formTitle(site, form),
    receivedAt: formatNzTime(receivedAt),
    isUrgent: delivery.urgent,
    ...describeContactSafety(submission),
    taken: describeStep(followUp.takenAt),
    answered: describeStep(followUp.answeredAt),
    noContact: describeStep(followUp.noContactAt),
    withdrawn: withdrawn && { ...withdrawn, erased: formatErasing(new Date(withdrawn.since)) },
    message,
    typed,
  };
}

const describeStep = (at: Date | null): StaffStep | null =>
  at && { at: formatNzTime(at), since: at.getTime() };

export async function composeStaffPage(
  { render }: Pick<Renderer, 'render'>,
  { site, theme }: Pick<Content, 'site' | 'theme'>,
  view: StaffView,
): Promise<{ html: string; headers: Record<string, string> }> {
  const rendered = await render({ kind: 'staff', site, view });
  const css = rendered.css + themeCss(theme);
  const html = [
    '<!doctype html><html lang="en-NZ"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="robots" content="noindex,nofollow">',
    `<title>${escapeHtml(titleOf(view))}</title>`,
    `<meta name="theme-color" content="${themeColour(theme)}">`,
    // The address of this page has the key in it.
    '<link rel="icon" type="image/svg+xml" href="/favicon.svg" referrerpolicy="no-referrer">',
    `<style>${css}</style></head><body>${rendered.body}</body></html>`,
  ].join('');
  return {
    html,
    headers: {
      'content-security-policy': staffPolicy(css),
      'x-robots-tag': 'noindex, nofollow',
      // Not to any other site. Without a referrer at all older browsers would post with `Origin: null`.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  };
}

/** Says what happened, because a screen reader begins with it. Not the trust's name: the title stays in the history. */
function titleOf(view: StaffView): string {
  if (view.kind === 'nothing') return 'There is nothing here';
  if (view.kind === 'unavailable') return `Try again: ${view.reference}`;
  if (view.kind === 'letter') return letterTitles[view.message ?? 'open'];
  const { message, reference } = view;
  return `${message ? `${titles[message]}: ` : ''}${reference}`;
}

const letterTitles = {
  open: 'Have you read it?',
  read: 'Recorded',
  refused: 'Not recorded',
  unavailable: 'Try again',
} as const;

const titles: Record<StaffMessage, string> = {
  taken: 'Recorded',
  answered: 'Recorded',
  'no-contact': 'Recorded',
  withdrawn: 'Recorded',
  unreached: 'Recorded',
  undone: 'Undone',
  late: 'Somebody was first',
  changed: 'Not undone',
  name: 'Not recorded',
  many: 'Not recorded',
  refused: 'Not recorded',
};
