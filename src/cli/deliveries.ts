import { parseArgs } from 'node:util';
import { nzTime } from '../server/nz-time.ts';
import { deliveryStatus, type StoredSubmission } from '../server/submissions/stored-submission.ts';
import type { Store } from '../server/submissions/submission-store.ts';
import { type Command, CommandFailed, UsageError } from './command.ts';
import { readReference } from './filter-options.ts';
import { withStore } from './open-store.ts';
import { explainProblem } from './problem-words.ts';
import { print, printJson, remark, rowStyle, table } from './terminal.ts';

export const deliveries: Command = {
  summary: 'what has not reached staff yet, and why; retry sends it again',
  usage: `awhina deliveries [--json]
awhina deliveries retry REFERENCE
awhina deliveries retry --all

  retry REFERENCE   send this one, also where it was delivered already
  retry --all       send everything that has not reached staff`,

  async run(args) {
    const options = { all: { type: 'boolean' }, json: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [action, reference, ...more] = positionals;
    if (action === undefined && !values.all)
      return withStore((store) => listUndelivered(store, values.json ?? false));
    if (action !== 'retry' || more.length > 0 || (reference === undefined) !== (values.all ?? false)) {
      throw new UsageError(
        'Say which one: awhina deliveries retry HK7W-3RQX, or awhina deliveries retry --all',
      );
    }
    return withStore((store) => retry(store, reference === undefined ? null : readReference(reference)));
  },
};

async function listUndelivered(store: Store, json: boolean): Promise<number> {
  const found: StoredSubmission[] = [];
  for await (const one of store.iterateSubmissions({ undelivered: true })) found.push(one);
  if (json) printJson(found.map(asJson));
  else if (found.length === 0) print('Everything has reached staff.');
  else {
    print(
      table(
        ['RECEIVED', 'FORM', 'REFERENCE', 'STATUS', 'TRIES', 'NEXT TRY', 'LAST PROBLEM'],
        found.map(asRow),
        found.map(rowStyle),
      ),
    );
    const problems = new Set(
      found.map(({ delivery }) => delivery.lastError).filter((error) => error !== null),
    );
    if (problems.size > 0) print('');
    for (const problem of problems) print(`${problem}: ${explainProblem(problem)}`);
    const parked = found.filter(({ delivery }) => delivery.parkedAt).length;
    if (parked > 0) {
      remark(
        '\nParked ones are tried again once a day. Once the cause is mended, at once: awhina deliveries retry --all',
      );
    }
  }
  return 0;
}

function asRow({ receivedAt, form, reference, delivery }: StoredSubmission): string[] {
  const { urgent, attempts, nextAttemptAt, parkedAt, lastError } = delivery;
  const next = parkedAt ? 'daily' : nzTime(nextAttemptAt);
  return [
    nzTime(receivedAt),
    form,
    reference,
    (urgent ? 'urgent, ' : '') + deliveryStatus(delivery),
    String(attempts),
    next,
    lastError ?? '–',
  ];
}

function asJson({ reference, form, receivedAt, delivery }: StoredSubmission) {
  const { urgent, attempts, nextAttemptAt, parkedAt, lastError } = delivery;
  return {
    reference,
    form,
    receivedAt,
    status: deliveryStatus(delivery),
    urgent,
    attempts,
    nextAttemptAt,
    parkedAt,
    lastError,
  };
}

async function retry(store: Store, reference: string | null): Promise<number> {
  if (reference !== null) return retryOne(store, reference);
  const retried = await store.retryDeliveries('all', new Date());
  if (retried.length === 0) print('Everything has reached staff: there is nothing to send again.');
  else print(`${retried.length === 1 ? `${retried[0]} is` : `${retried.length} are`} due now. ${soon}`);
  return 0;
}

const soon = 'The running server sends within seconds.';

/** Also what was delivered: to the mail folder, perhaps, or to a mailbox that somebody emptied. */
async function retryOne(store: Store, reference: string): Promise<number> {
  const deliveredAt = (await store.findSubmission(reference))?.delivery.deliveredAt;
  const [retried] = await store.retryDeliveries({ reference }, new Date());
  if (!retried) throw new CommandFailed(`There is no ${reference}.`);
  if (deliveredAt)
    print(`${reference} was delivered on ${nzTime(deliveredAt)} already: staff get it once more.`);
  print(`${reference} is due now. ${soon}`);
  return 0;
}
