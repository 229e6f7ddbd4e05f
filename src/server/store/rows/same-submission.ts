import { countedAfterwards } from './counting.ts';
import type { TransferRow } from './transfer-row.ts';

/** A submission in this database that may be the same as one that comes from another database. */
export interface KnownSubmission {
  id: number | string;
  reference: string;
  token_hash: string;
}

/**
 * The same form may have been sent twice, the second time while this database was away. The visitor may have either
 * reference, so both are stored; the second gets a token hash that no browser's token has.
 */
const secondToken = ({ reference, tokenHash }: TransferRow) => `${tokenHash} ${reference}`;

/** Every reference and every token hash that this submission may have in another database. */
export function aliasesOf(row: TransferRow) {
  const { reference, tokenHash } = row;
  return {
    tokenHashes: [tokenHash, secondToken(row)],
    // Once in eleven thousand million the reference belongs to another submission here.
    references: [reference, `${reference}-2`, `${reference}-3`],
  };
}

/**
 * The submission of this database that is the same, or null; and the row as it is inserted where there is none: under a
 * reference and a token hash that are free. A form that was sent twice is two rows, of which one is counted as received.
 */
export function matchSubmission(row: TransferRow, known: readonly KnownSubmission[]) {
  const { tokenHashes, references } = aliasesOf(row);
  const isSame = (one: KnownSubmission) =>
    tokenHashes.includes(one.token_hash) && references.includes(one.reference);
  const isSpent = known.some((one) => one.token_hash === row.tokenHash);
  const newRow: TransferRow = {
    ...row,
    reference: references.find((name) => known.every((one) => one.reference !== name)) ?? row.reference,
    ...(isSpent ? { tokenHash: secondToken(row), counts: countedAfterwards(row.form, row.counts) } : {}),
  };
  return { same: known.find(isSame) ?? null, newRow };
}
