import { createInterface, type Interface } from 'node:readline/promises';
import { Interrupted } from './command.ts';

/** Asks on the terminal. `ifInterrupted`: what Ctrl-C leaves behind, in a sentence. */
export async function withTerminal<T>(
  ifInterrupted: string,
  work: (terminal: Interface) => Promise<T>,
): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-D closes it without a word: the question would never be answered.
  const closed = new Promise<never>((_, reject) =>
    terminal.once('close', () => reject(new Interrupted(ifInterrupted))),
  );
  try {
    return await Promise.race([work(terminal), closed]);
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? new Interrupted(ifInterrupted) : error;
  } finally {
    closed.catch(() => {});
    terminal.close();
  }
}
