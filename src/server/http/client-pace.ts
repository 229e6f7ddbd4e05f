/** A client may save up so many turns: a crowd behind one address is served at once. A visit takes about ten. */
const burst = 600;
const turnsPerSecond = 200;
const turnMs = 1_000 / turnsPerSecond;
/**
 * Behind a proxy one address can have thousands of requests under way, 5,000 at most. What costs little (a page, a
 * challenge, a form with a script) then goes faster: even the last of 5,000 forms before the browser gives up at 20 s.
 */
const cheapTurns = 2;
const ordinaryWaitMs = 5_000;
const mostHurry = 8;
/**
 * A server that is late does not make up for more than this at once. In each turn of its loop a client then gets about
 * one request through, and whoever has only just come is reached in between.
 */
const lateMs = 4 * turnMs;

/** What is remembered of a client. Thousands of them never wait, so a queue is made only for those who do. */
export interface PacedClient {
  /** How many visitors it stands for. */
  readonly room: number;
  /** When the next turn is due; in the past where turns are saved up. */
  dueAt: number;
  queue?: Queue | undefined;
}

interface Waiting {
  readonly finish: number;
  readonly turns: number;
  readonly proceed: () => void;
}

interface Queue {
  /** Ordered by `finish`. */
  readonly waiting: Waiting[];
  /** The `finish` of each connection's last request. */
  readonly finishes: WeakMap<object, number>;
  /** The `finish` of the request that went on last: how far the connections have got in their shares. */
  progress: number;
  /** What all that waits costs. */
  turns: number;
  timer?: NodeJS.Timeout;
}

/** Spaces out what each client asks for, and orders the requests that have to wait. */
export interface ClientPace {
  /** Takes the turns only if nothing waits and they are due now. Returns whether it took them. */
  takeNow(client: PacedClient, turns: number): boolean;
  /** Calls `proceed` when the turns are due. Returns a function that withdraws the request, which then took nothing. */
  wait(client: PacedClient, connection: object, turns: number, proceed: () => void): () => void;
}

/**
 * Fair queueing by connection (SCFQ): the connections of an address take turns by what their requests cost, so a person
 * waits for at most one equally large share of each other connection. Cheap requests pass a flood of expensive ones.
 * Turns are taken when a request goes on, never before: a request that is withdrawn has nothing to give back.
 */
export function createClientPace(clock: () => number): ClientPace {
  function isDue(client: PacedClient, savedMs: number): boolean {
    const now = clock();
    client.dueAt = Math.max(client.dueAt, now - savedMs);
    return client.dueAt <= now;
  }

  function take(client: PacedClient, turns: number): void {
    const waitMs = turns > cheapTurns ? 0 : ((client.queue?.turns ?? 0) * turnMs) / client.room;
    const hurry = Math.min(mostHurry, Math.max(1, waitMs / ordinaryWaitMs));
    client.dueAt += (turns * turnMs) / client.room / hurry;
  }

  function schedule(client: PacedClient, queue: Queue): void {
    clearTimeout(queue.timer);
    if (queue.waiting.length === 0) client.queue = undefined;
    else queue.timer = setTimeout(() => serve(client, queue), Math.max(1, client.dueAt - clock()));
  }

  function serve(client: PacedClient, queue: Queue): void {
    try {
      while (queue.waiting.length > 0 && isDue(client, lateMs)) {
        const { finish, turns, proceed } = queue.waiting.shift() as Waiting;
        queue.progress = finish;
        take(client, turns);
        queue.turns -= turns;
        proceed();
      }
    } finally {
      schedule(client, queue);
    }
  }

  return {
    takeNow(client, turns) {
      if (client.queue || !isDue(client, burst * turnMs)) return false;
      take(client, turns);
      return true;
    },

    wait(client, connection, turns, proceed) {
      client.queue ??= { waiting: [], finishes: new WeakMap(), progress: 0, turns: 0 };
      const { queue } = client;
      const { waiting, finishes, progress } = queue;
      const finish = Math.max(progress, finishes.get(connection) ?? 0) + turns;
      finishes.set(connection, finish);
      const one: Waiting = { finish, turns, proceed };
      const before = waiting.findLastIndex((other) => other.finish <= finish);
      waiting.splice(before + 1, 0, one);
      queue.turns += turns;
      if (!queue.timer) schedule(client, queue);
      return () => {
        const at = waiting.indexOf(one);
        if (at === -1) return;
        waiting.splice(at, 1);
        queue.turns -= turns;
        if (waiting.length === 0) schedule(client, queue);
      };
    },
  };
}
