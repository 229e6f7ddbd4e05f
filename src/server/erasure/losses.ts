import type { Archive, Loss } from '../store/contract/archive.ts';

/** Requests that were erased at their absolute limit although nobody had seen them, in words. */

export const countLosses = (losses: readonly Loss[]): number =>
  losses.reduce((sum, { count }) => sum + count, 0);

/** Without a full stop. Null where there are none. */
export function describeLosses(losses: readonly Loss[]): string | null {
  const count = countLosses(losses);
  if (count === 0) return null;
  return count === 1
    ? '1 request was erased although nobody had seen it'
    : `${count} requests were erased although nobody had seen them`;
}

/** For whoever reads a list of requests, which cannot have these any more. */
export async function findLosses(store: Pick<Archive, 'listLosses'>): Promise<string | null> {
  const described = describeLosses(await store.listLosses());
  return described && `${described}; awhina losses says when`;
}
