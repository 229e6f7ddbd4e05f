/** Shift, pressed three times by itself, leaves the site. */

export const pressesToLeave = 3;
/** Between one press and the next. Slow hands have time; the Shift of a while ago does not count. */
export const pressWithinMs = 5_000;

export interface ShiftPresses {
  count: number;
  /** Shift is or was held for another key or a click, so letting it go is no press. */
  used: boolean;
  /** When Shift was last let go, in the events' own time. */
  last: number;
}

export const noPresses: ShiftPresses = { count: 0, used: false, last: 0 };

/** A key going down or up, or a click, which has no key. */
export type Press = Pick<KeyboardEvent, 'type' | 'shiftKey' | 'timeStamp'> & {
  key?: string;
  repeat?: boolean;
};

/**
 * Counted when Shift is let go, because only then is it known that it was not for a capital letter. The left and the
 * right Shift are one: where both are down, each counts as it is let go.
 */
export function afterPress(before: ShiftPresses, press: Press): ShiftPresses {
  const isShift = press.key === 'Shift';
  if (isShift && press.type === 'keydown') return press.repeat ? before : { ...before, used: false };
  if (!isShift || before.used) return { ...noPresses, used: press.shiftKey };
  const inTime = press.timeStamp - before.last <= pressWithinMs;
  return { count: inTime ? before.count + 1 : 1, used: false, last: press.timeStamp };
}
