/** Lets a slow phone paint, scroll or type between two tasks. Without the shortest wait of a timer. */
export function nextTask(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  port2.postMessage(null);
  return new Promise((resolve) => {
    port1.onmessage = resolve;
  });
}
