import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A script in a process of its own, which answers what it is asked, one question after another. */
export interface AskedProcess {
  ask<Answer>(question: string): Promise<Answer>;
  end(): Promise<void>;
}

export function startAsked(script: string, args: readonly string[] = []): AskedProcess {
  const child: ChildProcess = fork(script, args);
  const ended = once(child, 'exit');
  return {
    async ask<Answer>(question: string): Promise<Answer> {
      const answer = once(child, 'message').then(([message]) => message as Answer);
      const gone = ended.then(([code]) => Promise.reject(new Error(`${script} ended with ${code}`)));
      child.send(question);
      return Promise.race([answer, gone]);
    },
    async end() {
      child.kill();
      await ended;
    },
  };
}
