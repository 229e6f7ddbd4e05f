import type { FormName } from '../../model/form-field.ts';
import { forms } from '../../model/forms.ts';
import { mapValues } from '../../model/map-values.ts';
import { findContentDate } from '../content/content-date.ts';
import { measureSpace, type Space } from '../files/free-space.ts';
import type { Health, HealthDetails } from '../http/health.ts';
import type { FigureSource, Figures } from '../store/contract/counts.ts';
import type { Undelivered } from '../store/contract/delivery-queue.ts';
import type { FollowUps, OpenSummary } from '../store/contract/follow-ups.ts';
import { isInWeek, weeksBefore } from './calendar-week.ts';
import type { MailCertificate } from './certificate.ts';
import { type CountedWeek, countAll } from './weekly-letter-chart.ts';

/** Two months: enough to see whether a week was quiet. */
const weeksInChart = 8;

export interface WeeklyLetterSources {
  store: FigureSource &
    Pick<FollowUps, 'summariseOpen'> & { summariseUndelivered: () => Promise<Undelivered[]> };
  health: HealthDetails;
  dataDir: string;
  contentDir: string;
  /** Null: staff do not say what they have answered. */
  reminders: object | null;
  /** The mail server's certificate; null where no probe has seen it. */
  mailCertificate?: () => MailCertificate | null;
  /** When the last canary got through. */
  canary?: () => Promise<{ succeededAt: Date | null } | null>;
}

/** What the weekly letter is written from: numbers and days, and nothing that a visitor wrote. */
export interface WeeklyLetterData {
  /** The oldest first; the last is the week of the letter. */
  weeks: CountedWeek[];
  /** The slowest delivery of that week; null where nothing was delivered. */
  slowestSeconds: number | null;
  /** How many of that week were written on a page in another language, the most first. */
  languages: { tag: string; count: number }[];
  /** Requests whose mail no mail server has accepted yet. */
  undelivered: number;
  /** What nobody has answered. Null where staff do not say what they have answered. */
  open: readonly OpenSummary[] | null;
  health: Health;
  space: Space | null;
  contentDate: Date | null;
  certificate: MailCertificate | null;
  canaryAt: Date | null;
  at: Date;
}

export async function readWeeklyLetterData(
  sources: WeeklyLetterSources,
  due: Date,
  at: Date,
): Promise<WeeklyLetterData> {
  const { store, health, dataDir, contentDir, reminders, mailCertificate, canary } = sources;
  const weeks = weeksBefore(due, weeksInChart);
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (!first || !last) throw new Error('There is no week to tell of');
  const { received, delivered, languages } = await store.readFigures(first.from, last.to);
  const add = (form: FormName, week: typeof first) =>
    received.reduce((sum, one) => sum + (one.form === form && isInWeek(week, one.day) ? one.count : 0), 0);
  const counted = weeks.map((week) => ({
    ...week,
    counts: mapValues(forms, (_entry, form) => add(form, week)),
  }));
  const times = delivered
    .filter(({ day }) => isInWeek(last, day))
    .map(({ slowestSeconds }) => slowestSeconds);
  const [undelivered, ready, deliveries] = await Promise.all([
    store.summariseUndelivered(),
    health.ready(),
    health.deliveries(),
  ]);
  return {
    // From the first week with a request; without any, findIndex gives -1, and slice the last week.
    weeks: counted.slice(counted.findIndex(isBusy)),
    slowestSeconds: times.length > 0 ? Math.max(...times) : null,
    languages: sumLanguages(languages.filter(({ day }) => isInWeek(last, day))),
    undelivered: undelivered.reduce((sum, { waiting, parked }) => sum + waiting + parked, 0),
    open: reminders ? await store.summariseOpen() : null,
    health: {
      problems: [...deliveries.problems, ...ready.problems],
      warnings: [...deliveries.warnings, ...ready.warnings],
      forStaff: [...deliveries.forStaff, ...ready.forStaff],
    },
    space: await measureSpace(dataDir),
    contentDate: await findContentDate(contentDir),
    certificate: mailCertificate?.() ?? null,
    canaryAt: (await canary?.())?.succeededAt ?? null,
    at,
  };
}

const isBusy = (week: CountedWeek) => countAll(week) > 0;

/** Both forms together. */
function sumLanguages(figures: Figures['languages']): WeeklyLetterData['languages'] {
  const sums = new Map<string, number>();
  for (const { language, count } of figures) sums.set(language, (sums.get(language) ?? 0) + count);
  return [...sums].map(([tag, count]) => ({ tag, count })).toSorted((a, b) => b.count - a.count);
}
