import { requestState, type StoredSubmission } from '../../server/store/contract/submission.ts';
import { nzTime } from '../../server/time/nz-time.ts';
import { print, type Style, table } from '../terminal.ts';

/** How every command lists requests: as a table for people, or as JSON for programs. */

type CellOf = (request: StoredSubmission) => string;

export function printRequests(
  requests: readonly StoredSubmission[],
  { status, more = {}, styleOf = statusStyle }: ListOptions,
): void {
  const columns: Record<string, CellOf> = {
    RECEIVED: ({ receivedAt }) => nzTime(receivedAt),
    FORM: ({ form }) => form,
    REFERENCE: ({ reference }) => reference,
    ...(requests.some(({ language }) => language) ? { LANGUAGE: ({ language }) => language ?? '' } : {}),
    STATUS: (request) =>
      `${request.delivery.urgent ? 'urgent, ' : ''}${request.damaged === undefined ? '' : 'damaged, '}${status(request)}`,
    ...more,
  };
  const rows = requests.map((request) => Object.values(columns).map((cell) => cell(request)));
  print(table(Object.keys(columns), rows, requests.map(styleOf)));
}

interface ListOptions {
  status: CellOf;
  /** Columns after the status, by their titles. */
  more?: Record<string, CellOf>;
  styleOf?: (request: StoredSubmission) => Style;
}

/** Red: somebody must do something. Yellow: nobody has shown that they have it. */
export function statusStyle(request: StoredSubmission): Style {
  if (request.followUp.noContactAt) return 'red';
  return ({ seen: 'reset', accepted: 'yellow', parked: 'red', waiting: 'yellow' } as const)[
    requestState(request)
  ];
}

/** The part of the JSON that all lists have in common. */
export function requestAsJson(request: StoredSubmission) {
  const { reference, form, receivedAt, language, delivery, followUp } = request;
  const { urgent, attempts, lastError } = delivery;
  const status = requestState(request);
  const damaged = request.damaged !== undefined;
  return { reference, form, receivedAt, language, status, damaged, urgent, attempts, lastError, ...followUp };
}
