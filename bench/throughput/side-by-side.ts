import type { TestServer } from '../../test/support/server.ts';
import { median, type Spread, showNumber, showSpread, spreadOf } from '../report.ts';
import { ratios, takeTurns } from './by-turns.ts';
import type { Outcome } from './load-client.ts';
import type { Client } from './measured-servers.ts';
import type { Visit } from './visits.ts';

/** One of the servers that are measured by turns. Each has addresses of its own. */
export interface Side {
  server: TestServer;
  visit: Visit;
}

export function measureSides<Name extends string>(
  client: Client,
  sides: Record<Name, Side>,
  rounds: number,
): Promise<Record<Name, Outcome[]>> {
  const names = Object.keys(sides) as Name[];
  const servers = names.map((name) => sides[name].server);
  return takeTurns(names, rounds, (name) => client.load(sides[name].server, servers, sides[name].visit));
}

const perSecond = ({ answered, seconds }: Outcome) => answered / seconds;
const perProcessorSecond = ({ answered, serverSeconds }: Outcome) => answered / serverSeconds;

/** How many times as much one does as the other: the median of the rounds. */
export interface Ratio {
  value: number;
  spread: Spread;
}

export interface Comparison {
  /** In answers a second. */
  inTime: Ratio;
  /**
   * In answers per second of processor that the server's process used, which a busy machine or its host leaves alone. It
   * knows nothing of waiting for the disk.
   */
  byProcessor: Ratio;
}

export function compareOutcomes(ones: readonly Outcome[], others: readonly Outcome[]): Comparison {
  const ratioIn = (of: (outcome: Outcome) => number): Ratio => {
    const all = ratios(ones.map(of), others.map(of));
    return { value: median(all), spread: spreadOf(all) };
  };
  return { inTime: ratioIn(perSecond), byProcessor: ratioIn(perProcessorSecond) };
}

export const rateOf = (outcomes: readonly Outcome[]): number => Math.round(median(outcomes.map(perSecond)));

export const rateByProcessor = (outcomes: readonly Outcome[]): number =>
  Math.round(median(outcomes.map(perProcessorSecond)));

/** `2,860 (2,710–2,900)` */
export function describeRate(outcomes: readonly Outcome[]): string {
  const { low, high } = spreadOf(outcomes.map(perSecond));
  return `${showNumber(rateOf(outcomes))} ${showSpread({ low: Math.round(low), high: Math.round(high) })}`;
}

/** Which part of the servers' core somebody else had meanwhile. NaN where there is no core to look at. */
export const shareOfOthers = (outcomes: readonly Outcome[]): number =>
  median(outcomes.map(({ othersOnCore }) => othersOnCore));

/** Interrupts and the kernel's own work are a few hundredths. */
export const isBusy = (share: number): boolean => share > 0.1;

/** From 1 on it is the client that was measured, and not the server. */
export const workOfClient = (outcomes: readonly Outcome[]): number =>
  median(outcomes.map(({ clientSeconds, serverSeconds }) => clientSeconds / serverSeconds));
