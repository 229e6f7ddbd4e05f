import { useCallback, useEffect, useRef } from 'react';

const ends = ['pointerup', 'pointercancel'];

/**
 * Runs something once whoever is pressing has let go, and what they pressed has had its click. A message that appears
 * under a finger moves the page, and the finger comes up beside what it was put on.
 */
export function useAfterPress(): (run: () => void) => void {
  const pressed = useRef(false);
  useEffect(() => {
    const note = (event: Event) => {
      pressed.current = event.type === 'pointerdown';
    };
    const noted = ['pointerdown', ...ends];
    for (const type of noted) addEventListener(type, note, true);
    return () => {
      for (const type of noted) removeEventListener(type, note, true);
    };
  }, []);

  return useCallback((run) => {
    const later = () => void setTimeout(run);
    if (!pressed.current) return later();
    const letGo = () => {
      for (const type of ends) removeEventListener(type, letGo);
      later();
    };
    for (const type of ends) addEventListener(type, letGo);
  }, []);
}
