/**
 * An event loop that has nothing to do, in a process of its own: what it is late by, the machine is to blame for. Asked
 * for its delay since it was last asked, it answers in milliseconds.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

// By the same measure as prom-client takes in the server.
const delay = monitorEventLoopDelay();
delay.enable();
process.on('message', () => {
  process.send?.(delay.percentile(99) / 1e6);
  delay.reset();
});
