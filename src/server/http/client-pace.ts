/** A client may save up so many turns: a crowd behind one address is served at once. A visit takes about ten. */
const burst = 600;
const turnsPerSecond = 200;
const turnMs = 1_000 / turnsPerSecond;

/**
 * A server that is late does not make up for more than this at once. In each turn of its loop a client then gets about
 * one request through, and whoever has only just come is reached in between.
 */
const lateMs = 4 * turnMs;

interface Waiting {
  readonly finish: number;
  readonly turns: number;
  readonly proceed: () => void;
}

/** Spaces out what one client asks for, and orders the requests that have to wait. */
export interface ClientPace {
  /** Takes the turns only if nothing waits and they are due now. Returns whether it took them. */
  takeNow(turns: number): boolean;
  /** Calls `proceed` when the turns are due. Returns a function that withdraws the request, which then took nothing. */
  wait(connection: object, turns: number, proceed: () => void): () => void;
  readonly waiting: number;
}

/**
 * Fair queueing by connection (SCFQ): the connections of an address take turns by what their requests cost, so a person
 * waits for at most one equally large share of each other connection. Cheap requests pass a flood of expensive ones.
 * Turns are taken when a request goes on, never before: a request that is withdrawn has nothing to give back.
 */
export function createClientPace(clock: () => number, room: number): ClientPace {
  const stepMs = turnMs / room;
  /** When the next turn is due; in the past where turns are saved up. */
  let dueAt = Number.NEGATIVE_INFINITY;
  /** Ordered by `finish`. */
  const queue: Waiting[] = [];
  /** The `finish` of the request that went on last: how far the connections have got in their shares. */
  let progress = 0;
  /** Of each connection's last request. Only while something waits: thousands of clients never do. */
  let finishes: WeakMap<object, number> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function isDue(savedMs: number): boolean {
    const now = clock();
    dueAt = Math.max(dueAt, now - savedMs);
    return dueAt <= now;
  }

  function schedule(): void {
    clearTimeout(timer);
    timer = queue.length > 0 ? setTimeout(serve, Math.max(1, dueAt - clock())) : undefined;
    if (queue.length > 0) return;
    progress = 0;
    finishes = undefined;
  }

  function serve(): void {
    while (queue.length > 0 && isDue(lateMs)) {
      const { finish, turns, proceed } = queue.shift() as Waiting;
      progress = finish;
      dueAt += turns * stepMs;
      proceed();
    }
    schedule();
  }

  return {
    takeNow(turns) {
      if (queue.length > 0 || !isDue(burst * turnMs)) return false;
      dueAt += turns * stepMs;
      return true;
    },

    wait(connection, turns, proceed) {
      finishes ??= new WeakMap();
      const finish = Math.max(progress, finishes.get(connection) ?? 0) + turns;
      finishes.set(connection, finish);
      const one: Waiting = { finish, turns, proceed };
      const after = queue.findLastIndex((other) => other.finish <= finish);
      queue.splice(after + 1, 0, one);
      if (!timer) schedule();
      return () => {
        const at = queue.indexOf(one);
        if (at === -1) return;
        queue.splice(at, 1);
        if (queue.length === 0) schedule();
      };
    },

    get waiting() {
      return queue.length;
    },
  };
}
