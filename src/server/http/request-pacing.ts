/** In units of cost, of which a visit takes about ten. A crowd behind one address is served at once. */
const burst = 600;
const costPerSecond = 200;
const unitMs = 1_000 / costPerSecond;
/**
 * Behind a proxy one address can have thousands of requests waiting, 5,000 at most. Cheap ones (a page, a challenge, a
 * form with a script) then go faster: even the last of 5,000 forms before the browser gives up at 20 s.
 */
const cheapCost = 2;
const ordinaryWaitMs = 5_000;
const maxSpeedUp = 8;
/**
 * A server that is late makes up for no more than this at once. In each turn of the event loop a client then gets about
 * one request through, and new connections are accepted in between.
 */
const maxCatchUpMs = 4 * unitMs;

/** What is remembered of a client. A queue exists only while requests wait: thousands of clients never do. */
export interface PacedClient {
  /** How many visitors the client stands for. */
  readonly weight: number;
  /** When the next unit of cost is due; in the past where units are saved up. */
  dueAt: number;
  queue?: Queue | undefined;
}

interface Waiting {
  readonly finish: number;
  readonly cost: number;
  readonly proceed: () => void;
}

interface Queue {
  /** Ordered by `finish`. */
  readonly waiting: Waiting[];
  /** The `finish` of each connection's last request. */
  readonly finishes: WeakMap<object, number>;
  /** The `finish` of the request that went on last: how far the connections have got in their shares. */
  progress: number;
  /** The cost of all that waits. */
  cost: number;
  timer?: NodeJS.Timeout;
}

/** Spaces out the requests of each client, and orders those that have to wait. */
interface Pacing {
  /** Charges the cost only if nothing waits and the cost is due now. Returns whether it did. */
  tryCharge(client: PacedClient, cost: number): boolean;
  /** Calls `proceed` when the cost is due. Returns a function that withdraws the request, which is then not charged. */
  enqueue(client: PacedClient, connection: object, cost: number, proceed: () => void): () => void;
}

/**
 * Fair queueing by connection (SCFQ): the connections of an address share its pace by what their requests cost, so a
 * person waits for at most one equally large share of each other connection, and cheap requests pass a flood of
 * expensive ones. A request is charged when it goes on, never before, so a withdrawn one has nothing to give back.
 */
export function createPacing(clock: () => number): Pacing {
  function isDue(client: PacedClient, savedMs: number): boolean {
    const now = clock();
    client.dueAt = Math.max(client.dueAt, now - savedMs);
    return client.dueAt <= now;
  }

  function charge(client: PacedClient, cost: number): void {
    const waitMs = cost > cheapCost ? 0 : ((client.queue?.cost ?? 0) * unitMs) / client.weight;
    const hurry = Math.min(maxSpeedUp, Math.max(1, waitMs / ordinaryWaitMs));
    client.dueAt += (cost * unitMs) / client.weight / hurry;
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
    tryCharge(client, cost) {
      if (client.queue || !isDue(client, burst * unitMs)) return false;
      charge(client, cost);
      return true;
    },

    enqueue(client, connection, cost, proceed) {
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
