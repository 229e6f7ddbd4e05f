/** Units of cost that a client may use at once. A visit takes about ten, so a crowd behind one address need not wait. */
const burst = 600;
const costPerSecond = 200;
const unitMs = 1_000 / costPerSecond;
/**
 * Behind a proxy one address can have up to 5,000 requests waiting. Where they wait for longer than `ordinaryWaitMs`, the
 * cheap ones (a page, a challenge, a form with a script) cost less: even the last of 5,000 forms is served before the
 * browser gives up after 20 s.
 */
const cheapCost = 2;
const ordinaryWaitMs = 5_000;
const maxSpeedUp = 8;
/**
 * A server that is late makes up for no more than this at once. In each iteration of the event loop a client then gets
 * about one request through, and new connections are accepted in between.
 */
const maxCatchUpMs = 4 * unitMs;

/** What is remembered of a client. A queue exists only while requests wait, so thousands of clients cost little memory. */
export interface PacedClient {
  /** How many visitors share this client, and so how many times the pace it has. */
  readonly weight: number;
  /** When the next unit of cost may be used. In the past while the client has units saved up. */
  dueAt: number;
  queue?: Queue | undefined;
}

interface Waiting {
  /**
   * SCFQ's finish tag: the queue's `progress` when the connection began to wait, plus the cost of its requests up to and
   * including this one.
   */
  readonly finish: number;
  readonly cost: number;
  readonly proceed: () => void;
}

interface Queue {
  /** Ordered by `finish`. */
  readonly waiting: Waiting[];
  /** The `finish` of each connection's last request. */
  readonly finishes: WeakMap<object, number>;
  /** The `finish` of the last request that went on. A connection without waiting requests begins from here. */
  progress: number;
  /** The cost of all waiting requests. */
  cost: number;
  timer?: NodeJS.Timeout;
}

/**
 * Spaces out the requests of each client, and orders those that have to wait.
 *
 * Self-clocked fair queueing (SCFQ) by connection: each connection of an address may use the same cost, so a person waits
 * at most until each other connection has used as much, and cheap requests pass a flood of expensive ones. A request is
 * charged when it goes on and not before, so one that is withdrawn is not charged.
 */
export function createPacing(clock: () => number) {
  function isDue(client: PacedClient, savedMs: number): boolean {
    const now = clock();
    client.dueAt = Math.max(client.dueAt, now - savedMs);
    return client.dueAt <= now;
  }

  function charge(client: PacedClient, cost: number): void {
    const waitMs = cost > cheapCost ? 0 : ((client.queue?.cost ?? 0) * unitMs) / client.weight;
    const speedUp = Math.min(maxSpeedUp, Math.max(1, waitMs / ordinaryWaitMs));
    client.dueAt += (cost * unitMs) / client.weight / speedUp;
  }

  function schedule(client: PacedClient, queue: Queue): void {
    clearTimeout(queue.timer);
    if (queue.waiting.length === 0) client.queue = undefined;
    else queue.timer = setTimeout(() => serve(client, queue), Math.max(1, client.dueAt - clock()));
  }

  function serve(client: PacedClient, queue: Queue): void {
    try {
      while (queue.waiting.length > 0 && isDue(client, maxCatchUpMs)) {
        const { finish, cost, proceed } = queue.waiting.shift() as Waiting;
        queue.progress = finish;
        charge(client, cost);
        queue.cost -= cost;
        proceed();
      }
    } finally {
      schedule(client, queue);
    }
  }

  return {
    /** Charges the cost if nothing waits and a unit may be used now. Returns whether the cost was charged. */
    tryCharge(client: PacedClient, cost: number): boolean {
      if (client.queue || !isDue(client, burst * unitMs)) return false;
      charge(client, cost);
      return true;
    },

    /** Calls `proceed` when the request was charged. Returns a function that withdraws the request. */
    enqueue(client: PacedClient, connection: object, cost: number, proceed: () => void): () => void {
      client.queue ??= { waiting: [], finishes: new WeakMap(), progress: 0, cost: 0 };
      const { queue } = client;
      const { waiting, finishes, progress } = queue;
      const finish = Math.max(progress, finishes.get(connection) ?? 0) + cost;
      finishes.set(connection, finish);
      const one: Waiting = { finish, cost, proceed };
      const before = waiting.findLastIndex((other) => other.finish <= finish);
      waiting.splice(before + 1, 0, one);
      queue.cost += cost;
      if (!queue.timer) schedule(client, queue);
      return () => {
        const at = waiting.indexOf(one);
        if (at === -1) return;
        waiting.splice(at, 1);
        queue.cost -= cost;
        if (waiting.length === 0) schedule(client, queue);
      };
    },
  };
}
