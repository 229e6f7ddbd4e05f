import { useSyncExternalStore } from 'react';
import { forgetEvent } from './forget.ts';

let times = 0;

function subscribe(tell: () => void): () => void {
  const count = () => {
    times++;
    tell();
  };
  document.addEventListener(forgetEvent, count);
  return () => document.removeEventListener(forgetEvent, count);
}

/**
 * Another number each time everything typed had to go. As a key it makes a form anew: the answers, what the browser
 * would undo, and the reference of what was sent all go with the old one.
 */
export function useForgotten(): number {
  return useSyncExternalStore(
    subscribe,
    () => times,
    () => 0,
  );
}
