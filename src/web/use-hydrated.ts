import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/** False in what the server sends, and until React has taken that over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
