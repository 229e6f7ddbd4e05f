import { Writable } from 'node:stream';
import { createLog } from '../../src/server/log/log.ts';

/** A log at its most verbose, and what was written to it. */
export function collectLog() {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLog('trace', sink), lines };
}
