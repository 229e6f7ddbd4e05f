/** Imported before anything else: a machine whose clock is wrong by CLOCK_SHIFT_MS. Time that cannot be set goes on as ever. */
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now() + shift] : given, newTarget),
  get: (target, name) => (name === 'now' ? () => RealDate.now() + shift : Reflect.get(target, name)),
});

export const wrongBy = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: '--import ./test/support/shifted-clock.ts',
  CLOCK_SHIFT_MS: String(ms),
});
