import { nzTime } from '../../src/server/time/nz-time.ts';

/** The time of day in New Zealand ('16:00') that is farthest from now: no test that lasts, or puts a clock ahead, comes to it. */
export const farFromNow = nzTime(new Date(Date.now() - 12 * 3_600_000)).slice(-5);
