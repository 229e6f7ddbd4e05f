/** Preloaded into a server (wrong-clocks.ts): `performance.now()` runs ten thousand times as fast. Timers do not. */
const real = performance.now.bind(performance);
performance.now = () => real() * 10_000;
