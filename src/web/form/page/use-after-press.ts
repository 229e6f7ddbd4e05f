import { useCallback, useEffect, useRef } from 'react';

const ends = ['pointerup', 'pointercancel'];

/**
 * Delays a callback until the pointer is up and its click has been dispatched. A message that appears while a finger is
 * down moves the page, so that the finger comes up beside the pressed element.
 */
export function useAfterPress(): (run: () => void) => void {
  const pressed = useRef(false);
  useEffect(() => {
    const track = (event: Event) => {
      pressed.current = event.type === 'pointerdown';
    };
    const types = ['pointerdown', ...ends];
    for (const type of types) addEventListener(type, track, true);
    return () => {
      for (const type of types) removeEventListener(type, track, true);
    };
  }, []);

  return useCallback((run) => {
    const runLater = () => void setTimeout(run);
    if (!pressed.current) return runLater();
    const onEnd = () => {
      for (const type of ends) removeEventListener(type, onEnd);
      runLater();
    };
    for (const type of ends) addEventListener(type, onEnd);
  }, []);
}
