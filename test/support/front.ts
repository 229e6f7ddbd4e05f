import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { startLocal } from './local-server.ts';

/** What happens to a request: cut off, delayed until `mend()`, or answered with this instead. */
export type Fate = 'cut' | 'stall' | { json: object };

/** A proxy that passes every request on, unless `fail` says otherwise. */
export interface Front {
  url: string;
  /** For requests whose path starts with this; the given number of times, or until `mend()`. */
  fail(path: string, fate: Fate, times?: number): void;
  mend(): void;
  /** The URL of a page of the site in a frame as wide as a phone, for engines whose window has a fixed size. */
  framed(path: string, width: number): string;
  stop(): Promise<void>;
}

interface Fault {
  path: string;
  fate: Fate;
  left: number;
}

/** For engines in which a test cannot intercept requests in the browser. */
export async function startFront(behind: string): Promise<Front> {
  let faults: Fault[] = [];
  let held: (() => void)[] = [];
  const { port, stop } = await startLocal((asked, answer) => {
    const fault = faults.find(({ path, left }) => left > 0 && asked.url?.startsWith(path));
    const framed = /^\/framed\/(\d+)(\/.*)$/.exec(asked.url ?? '');
    if (framed) return frame(answer, framed[2], framed[1]);
    const goOn = () => passOn(asked, answer, behind);
    if (!fault) return goOn();
    fault.left--;
    if (fault.fate === 'stall') held.push(goOn);
    else if (fault.fate === 'cut') asked.destroy();
    else reply(answer, fault.fate.json);
  });
  return {
    url: `http://localhost:${port}`,
    fail(path, fate, times = Number.POSITIVE_INFINITY) {
      faults.push({ path, fate, left: times });
    },
    framed: (path, width) => `/framed/${width}${path}`,
    mend() {
      faults = [];
      for (const goOn of held) goOn();
      held = [];
    },
    stop,
  };
}

function passOn(asked: IncomingMessage, answer: ServerResponse, behind: string): void {
  const { method, headers, url = '/' } = asked;
  const onward = request(new URL(url, behind), { method, headers }, (reply) => {
    // The site lets nobody frame it, and here its own tests do.
    const kept = framedBy(headers) ? withoutPolicy(reply.headers) : reply.headers;
    answer.writeHead(reply.statusCode ?? 502, kept);
    reply.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}

function reply(answer: ServerResponse, json: object): void {
  answer.writeHead(200, { 'content-type': 'application/json' });
  answer.end(JSON.stringify(json));
}

function frame(answer: ServerResponse, path = '/', width = ''): void {
  answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  answer.end(
    `<!doctype html><html lang="en"><title>Framed</title><iframe src="${path}" width="${width}" height="700">`,
  );
}

const framedBy = ({ referer }: IncomingHttpHeaders) => referer?.includes('/framed/') ?? false;

function withoutPolicy({ ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  delete headers['content-security-policy'];
  delete headers['x-frame-options'];
  return headers;
}
