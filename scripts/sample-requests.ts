import { createHash } from 'node:crypto';
import { type Answers, toEntries } from '../src/model/answers.ts';
import { behaviourOf } from '../src/model/field-types.ts';
import type { FormField, FormName } from '../src/model/form-field.ts';
import { serverBehaviourOf } from '../src/model/server-field-types.ts';
import type { Content, Form } from '../src/server/content/content.ts';
import type { NewSubmission } from '../src/server/store/contract/submission.ts';
import { findChosen } from '../src/server/submissions/counted-choices.ts';
import { dayAfter, startOfNzDay } from '../src/server/time/nz-time.ts';

/** Invented requests, as a small trust might get them in a year. */

export interface SampleRequest {
  submission: NewSubmission & { reference: string };
  deliveredAt: Date;
}

export interface SampleOptions {
  forms: Content['forms'];
  seed: number;
  /** Days in New Zealand, both included. */
  from: string;
  until: string;
  /** Requests for help and messages together. */
  requests: number;
}

/** About 600 requests for help and 350 messages a year. */
export const requestsPerYear = 950;
const helpShare = 600 / 950;

/** In the order of their arrival. The same options make exactly the same requests. */
export function makeSampleRequests({ forms, seed, from, until, requests }: SampleOptions): SampleRequest[] {
  const random = createRandom(seed);
  const days = listDays(from, until);
  const dayWeights = accumulate(days.map(weigh));
  const arrivals = Array.from({ length: requests }, (_, index) => {
    const name: FormName = index < Math.round(requests * helpShare) ? 'help' : 'contact';
    const day = days[pick(dayWeights, random())]?.day ?? until;
    const start = startOfNzDay(day)?.getTime() ?? 0;
    const hour = pick(hours[name], random());
    return { name, at: new Date(start + Math.floor((hour + random()) * 3600) * 1000) };
  });
  return arrivals
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ name, at }, index) => makeRequest(forms[name], at, `${seed}/${index}`, random));
}

interface Day {
  day: string;
  weekday: number;
  /** '07-15' */
  date: string;
  /** From 0 on the first day to 1 after the last. */
  progress: number;
}

function listDays(from: string, until: string): Day[] {
  const days: string[] = [];
  for (let day = from; day <= until; day = dayAfter(day)) days.push(day);
  return days.map((day, index) => ({
    day,
    weekday: new Date(`${day}T00:00:00Z`).getUTCDay(),
    date: day.slice(5),
    progress: index / days.length,
  }));
}

/** Sunday first. */
const weekdays = [0.6, 1.3, 1.2, 1.1, 1.05, 0.95, 0.55];
/** January first. More people ask after the summer, in winter with its power bills, and before Christmas. */
const months = [0.7, 1.05, 1.05, 0.95, 1.1, 1.2, 1.2, 1.15, 1, 0.95, 1, 1.1];
/** Approximately. In the holidays fewer families meet somebody who refers them to the trust. */
const schoolHolidays = [
  ['04-03', '04-19'],
  ['07-04', '07-19'],
  ['09-26', '10-11'],
  ['12-19', '12-31'],
  ['01-01', '01-31'],
] as const;

/** How many requests come on a day, compared with others. */
function weigh({ weekday, date, progress }: Day): number {
  const holiday = schoolHolidays.some(([first, last]) => date >= first && date <= last) ? 0.8 : 1;
  const closed = date >= '12-24' || date <= '01-03' ? 0.5 : 1;
  const growth = 0.8 + 0.4 * progress;
  return (weekdays[weekday] ?? 1) * (months[Number(date.slice(0, 2)) - 1] ?? 1) * holiday * closed * growth;
}

/** Midnight first. Most ask for help in the evening, when children sleep; most messages come in office hours. */
const hours: Record<FormName, number[]> = {
  help: accumulate([4, 3, 2, 1, 1, 1, 2, 4, 6, 9, 10, 9, 8, 9, 8, 7, 6, 6, 7, 10, 14, 15, 12, 8]),
  contact: accumulate([1, 0, 0, 0, 0, 0, 1, 3, 8, 14, 15, 13, 10, 12, 12, 10, 8, 5, 4, 4, 4, 3, 2, 1]),
};

/** How often a choice is made, compared with others. Any other choice weighs 1. */
const choiceWeights: Record<string, number> = {
  'Someone to talk to': 5,
  'Feeling unsafe at home': 1.6,
  'Parenting and family support': 4,
  Counselling: 3.5,
  'Food or household basics': 4.5,
  Housing: 3,
  'Money and budgeting': 2.5,
  'Support for tamariki and young people': 2,
  'Help with forms, agencies or court': 1.2,
  'Something else': 0.8,
  'Phone call': 3,
  'Text message': 4,
  Email: 2.5,
  "Please don't contact me, I will contact you": 0.5,
};
const tickedShare = 0.22;

function makeRequest(form: Form, at: Date, name: string, random: () => number): SampleRequest {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const answers: Answers = Object.fromEntries(
    form.definition.map((field) => [field.key, answer(field, name, random)]),
  );
  // 94 % of the mails are delivered within a minute, 5 % within half an hour, and the rest waits for a mail server.
  const delay = random();
  const seconds =
    delay < 0.94 ? 4 + 50 * random() : delay < 0.99 ? 60 + 1_500 * random() : 3_600 + 30_000 * random();
  return {
    submission: {
      reference: makeReference(hash(`reference ${name}`)),
      form,
      answers: toEntries(form.definition, answers),
      verdict: { kind: 'clean' },
      tokenHash: hash(`token ${name}`),
      answersHash: hash(`answers ${name}`),
      receivedAt: at,
      chosen: findChosen(form, answers),
    },
    deliveredAt: new Date(at.getTime() + Math.round(seconds) * 1000),
  };
}

function answer(field: FormField, name: string, random: () => number): Answers[string] {
  if (field.type === 'boolean') return random() < tickedShare;
  if (field.type === 'checkbox') {
    const weights = accumulate(field.choices.map((choice) => choiceWeights[choice] ?? 1));
    const count = 1 + Math.floor(2.2 * random() ** 2);
    const chosen = new Set(Array.from({ length: count }, () => field.choices[pick(weights, random())]));
    return field.choices.filter((choice) => chosen.has(choice));
  }
  if (field.key === 'Email') return `sample-${name.replace('/', '-')}@visitor.example`;
  if (field.key === 'Phone') return '';
  return field.required
    ? serverBehaviourOf(field).invent(`Sample ${name}`, field)
    : behaviourOf(field).initial;
}

/** A reference in the product's format, made from a hash instead of random bytes. */
function makeReference(hex: string): string {
  const alphabet = '34679CDFHJKPQRTWXY';
  const letters = Array.from(
    { length: 8 },
    (_, index) => alphabet[Number.parseInt(hex.slice(index * 4, index * 4 + 4), 16) % alphabet.length],
  );
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

/** The running totals of the weights, scaled so that the last is 1. */
function accumulate(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum / total;
  });
}

/** The index of the part, of these running totals, that a number from 0 to 1 lies in. */
function pick(totals: readonly number[], at: number): number {
  const index = totals.findIndex((total) => total > at);
  // The last total may be a little less than 1.
  return index < 0 ? totals.length - 1 : index;
}

/** Mulberry32: random enough for a sample, and the same on every machine. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
