import { Worker } from 'node:worker_threads';

// biome-ignore lint/suspicious/noExplicitAny: whatever the functions of a thread take.
export type Operations = Record<string, (...args: any[]) => unknown>;

/** From the thread: the result of the running call, its failure, or an event at any time. */
export type Message = { result: unknown } | { failure: Failure } | { event: unknown };

/** An error as it crosses threads, where only its message would survive. */
interface Failure {
  name: string;
  message: string;
  stack: string | undefined;
  code: unknown;
  errcode: unknown;
}

export const asFailure = (error: unknown): Failure => {
  const { name, message, stack, code, errcode } = error as Error & Partial<Failure>;
  return { name, message, stack, code, errcode };
};

interface Call {
  name: string;
  /** Evaluated when the call is sent. */
  given: () => unknown[];
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** The operations of a thread as its callers see them: by promise. */
export type Remote<Offered extends Operations> = {
  [Name in keyof Offered]: (
    ...given: Parameters<Offered[Name]>
  ) => Promise<Awaited<ReturnType<Offered[Name]>>>;
};

export interface Thread<Offered extends Operations> {
  /** Calls for which a visitor waits go first. */
  call<Name extends keyof Offered & string>(
    name: Name,
    given: () => Parameters<Offered[Name]>,
    isForVisitor?: boolean,
  ): Promise<Awaited<ReturnType<Offered[Name]>>>;
  close(): Promise<void>;
}

interface ThreadEvents {
  onEvent?: (event: unknown) => void;
  /** The thread cannot be started again, as where Node may start no more threads. */
  onDead?: (error: Error) => void;
}

/**
 * Runs a module in a thread of its own, and calls its functions one at a time. A thread that dies fails the running call;
 * the next call starts it again.
 */
export function startThread<Offered extends Operations>(
  module: URL,
  data: object,
  { onEvent, onDead }: ThreadEvents = {},
): Thread<Offered> {
  const visitorCalls: Call[] = [];
  const otherCalls: Call[] = [];
  let worker: Worker | null = null;
  let running: Call | null = null;
  let closed = false;

  function sendNext(): void {
    if (running) return;
    running = visitorCalls.shift() ?? otherCalls.shift() ?? null;
    if (!running) return;
    try {
      worker ??= start();
      worker.postMessage({ name: running.name, given: running.given() });
    } catch (error) {
      if (!worker) onDead?.(error as Error);
      settle((call) => call.reject(error as Error));
    }
  }

  function settle(answer: (call: Call) => void): void {
    const call = running;
    running = null;
    if (call) answer(call);
    sendNext();
  }

  function start(): Worker {
    // The thread's output is not piped into this process's: one that cannot be written would end both.
    const started = new Worker(module, { workerData: data, stdout: true, stderr: true });
    started.on('message', (message: Message) => {
      if ('event' in message) onEvent?.(message.event);
      else if ('failure' in message)
        settle((call) => call.reject(Object.assign(new Error(), message.failure)));
      else settle((call) => call.resolve(message.result));
    });
    const onEnd = (error: Error) => {
      if (worker !== started) return;
      worker = null;
      settle((call) => call.reject(error));
    };
    started.on('error', onEnd);
    started.on('exit', () => onEnd(new Error('The thread ended')));
    return started;
  }

  function call(name: string, given: () => unknown[], isForVisitor = false): Promise<unknown> {
    if (closed) return Promise.reject(new Error('The thread is closed'));
    return new Promise((resolve, reject) => {
      (isForVisitor ? visitorCalls : otherCalls).push({ name, given, resolve, reject });
      sendNext();
    });
  }

  return {
    call: call as Thread<Offered>['call'],
    async close() {
      if (closed) return;
      const last = call('close', () => []);
      closed = true;
      await last.catch(() => {});
      const ending = worker;
      worker = null;
      await ending?.terminate();
    },
  };
}
