/**
 * Gives something so long and no longer; what it is doing then is told to stop. `AbortSignal.timeout` would be shorter,
 * and is younger than the oldest browser this runs in.
 */
export function withTimeout<T>(ms: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`It took longer than ${ms} ms`));
    }, ms);
    run(controller.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
