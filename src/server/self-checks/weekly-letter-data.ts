import type { FormName } from '../../model/form-field.ts';
import { findContentDate } from '../content/content-date.ts';
import { measureSpace, type Space } from '../files/free-space.ts';
import type { Health, HealthDetails } from '../http/health.ts';
import type { FigureSource } from '../store/contract/counts.ts';
import type { Undelivered } from '../store/contract/delivery-queue.ts';
import type { MailCertificate } from './certificate.ts';
import { isIn, weeksBefore } from './calendar-week.ts';
import type { PlottedWeek } from './weekly-letter-chart.ts';

/** Two months: enough to see whether a week was quiet. */
const weeksShown = 8;

export interface WeeklySources {
  store: FigureSource & { summariseUndelivered: () => Promise<Undelivered[]> };
  health: HealthDetails;
  dataDir: string;
  contentDir: string;
  /** The mail server's certificate; null where no probe has seen it. */
  mailCertificate?: () => MailCertificate | null;
  /** When the last canary got through. */
  canary?: () => Promise<{ succeededAt: Date | null } | null>;
}

/** What the weekly letter tells: numbers and days, and nothing that a visitor wrote. */
export interface WeeklyState {
  /** The oldest first; the last is the week of the letter. */
  weeks: PlottedWeek[];
  /** The slowest delivery of that week; null where nothing was delivered. */
  slowestSeconds: number | null;
  /** Requests that have not reached staff yet. */
  undelivered: number;
  health: Health;
  space: Space | null;
  contentDate: Date | null;
  certificate: MailCertificate | null;
  canaryAt: Date | null;
  at: Date;
}

export async function readWeeklyState(sources: WeeklySources, due: Date, at: Date): Promise<WeeklyState> {
  const { store, health, dataDir, contentDir, mailCertificate, canary } = sources;
  const weeks = weeksBefore(due, weeksShown);
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (!first || !last) throw new Error('There is no week to tell of');
  const { received, delivered } = await store.readFigures(first.from, last.to);
  const add = (form: FormName, week: typeof first) =>
    received.reduce((sum, one) => sum + (one.form === form && isIn(week, one.day) ? one.count : 0), 0);
  const counted = weeks.map((week) => ({
    ...week,
    requests: add('help', week),
    messages: add('contact', week),
  }));
  const times = delivered.filter(({ day }) => isIn(last, day)).map(({ slowestSeconds }) => slowestSeconds);
  const [undelivered, ready, deliveries] = await Promise.all([
    store.summariseUndelivered(),
    health.ready(),
    health.deliveries(),
  ]);
  return {
    // From the first week with a request; without any, findIndex gives -1, and slice the last week.
    weeks: counted.slice(counted.findIndex(isBusy)),
    slowestSeconds: times.length > 0 ? Math.max(...times) : null,
    undelivered: undelivered.reduce((sum, { waiting, parked }) => sum + waiting + parked, 0),
    health: {
      problems: [...deliveries.problems, ...ready.problems],
      warnings: [...deliveries.warnings, ...ready.warnings],
    },
    space: await measureSpace(dataDir),
    contentDate: await findContentDate(contentDir),
    certificate: mailCertificate?.() ?? null,
    canaryAt: (await canary?.())?.succeededAt ?? null,
    at,
  };
}

const isBusy = ({ requests, messages }: PlottedWeek) => requests + messages > 0;
