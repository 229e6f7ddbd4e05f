/**
 * Preloaded into a server (wrong-clocks.ts): its clock is wrong by CLOCK_SHIFT_MS, and on SIGUSR2 by CLOCK_JUMP_MS more.
 * The monotonic clock (`performance.now()`) is not changed.
 */
let shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const jump = Number(process.env.CLOCK_JUMP_MS ?? 0);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now() + shift] : given, newTarget),
  get: (target, name) => (name === 'now' ? () => RealDate.now() + shift : Reflect.get(target, name)),
});

if (jump !== 0) {
  process.on('SIGUSR2', () => {
    shift += jump;
    process.stdout.write('The clock was set\n');
  });
}
