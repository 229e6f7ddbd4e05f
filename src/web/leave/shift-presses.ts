/** Shift, pressed three times by itself, leaves the site. */

export const pressesToLeave = 3;
/** Between one press and the next: enough for slow hands. */
export const pressWithinMs = 5_000;

interface ShiftPresses {
  count: number;
  /** Shift was used as a modifier, with another key or a click: its release does not count as a press. */
  used: boolean;
  /** The event time of the last release. */
  last: number;
}

export const noPresses: ShiftPresses = { count: 0, used: false, last: 0 };

/** A keydown, a keyup, or a pointerdown, which has no key. */
export type Press = Pick<KeyboardEvent, 'type' | 'shiftKey' | 'timeStamp'> & {
  key?: string;
  repeat?: boolean;
};

/**
 * Counts releases of Shift, because a release shows that Shift was not for a capital letter. The left and the right Shift
 * count alike.
 */
export function afterPress(before: ShiftPresses, press: Press): ShiftPresses {
  const isShift = press.key === 'Shift';
  if (isShift && press.type === 'keydown') return press.repeat ? before : { ...before, used: false };
  if (!isShift || before.used) return { ...noPresses, used: press.shiftKey };
  const inTime = press.timeStamp - before.last <= pressWithinMs;
  return { count: inTime ? before.count + 1 : 1, used: false, last: press.timeStamp };
}
