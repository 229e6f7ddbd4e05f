import { useSyncExternalStore } from 'react';
import { forgetEvent } from './forget.ts';

let times = 0;

function subscribe(notify: () => void): () => void {
  const count = () => {
    times++;
    notify();
  };
  document.addEventListener(forgetEvent, count);
  return () => document.removeEventListener(forgetEvent, count);
}

/**
 * Changes each time all answers are deleted. As a React key it replaces the form: the answers, the browser's undo history
 * and the receipt are gone with the old one.
 */
export function useForgotten(): number {
  return useSyncExternalStore(
    subscribe,
    () => times,
    () => 0,
  );
}
