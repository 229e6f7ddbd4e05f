import { useCallback, useEffect, useRef } from 'react';

/**
 * Runs something once whoever is pressing has let go, and what they pressed has had its click. A message that appears
 * under a finger moves the page, and the finger comes up beside what it was put on.
 */
export function useLetGo(): (run: () => void) => void {
  const pressed = useRef(false);
  useEffect(() => {
    const mounted = new AbortController();
    const options = { capture: true, signal: mounted.signal };
    const note = (event: Event) => {
      pressed.current = event.type === 'pointerdown';
    };
    for (const type of ['pointerdown', 'pointerup', 'pointercancel']) addEventListener(type, note, options);
    return () => mounted.abort();
  }, []);

  return useCallback((run) => {
    const later = () => void setTimeout(run);
    if (!pressed.current) return later();
    const letGo = new AbortController();
    for (const type of ['pointerup', 'pointercancel']) {
      addEventListener(
        type,
        () => {
          letGo.abort();
          later();
        },
        { signal: letGo.signal },
      );
    }
  }, []);
}
