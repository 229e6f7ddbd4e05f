import type { TransferRow } from './transfer-row.ts';

/** A submission in this database that may be the same as one that comes from another database. */
export interface KnownSubmission {
  id: number | string;
  reference: string;
  token_hash: string;
}

/** Every reference and every token hash that this submission may have in another database. */
export function aliasesOf({ reference, tokenHash }: TransferRow) {
  return {
    // The same form may have been sent twice, the second time while this database was away. The visitor may have either
    // reference, so both are stored; the second gets a token hash that no browser's token has.
    tokens: [tokenHash, `${tokenHash} ${reference}`],
    // Once in eleven thousand million the reference belongs to another submission here.
    names: [reference, `${reference}-2`, `${reference}-3`],
  };
}

/** The row under the names that are free here. A form that was sent twice is two rows, of which one is counted. */
export function renamed(row: TransferRow, place: Pick<TransferRow, 'reference' | 'tokenHash'>): TransferRow {
  const isSecond = place.tokenHash !== row.tokenHash;
  return { ...row, ...place, ...(isSecond ? { counts: '', counted: true } : {}) };
}

/** The known submission that is the same, or else the reference and the token hash that are free. */
export function findSame(row: TransferRow, known: readonly KnownSubmission[]) {
  const { tokens, names } = aliasesOf(row);
  const same = known.find((one) => tokens.includes(one.token_hash) && names.includes(one.reference)) ?? null;
  const isSpent = known.some((one) => one.token_hash === row.tokenHash);
  return {
    same,
    tokenHash: (isSpent ? tokens[1] : null) ?? row.tokenHash,
    reference: names.find((name) => known.every((one) => one.reference !== name)) ?? row.reference,
  };
}
