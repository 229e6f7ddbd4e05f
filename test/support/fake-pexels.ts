import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocal } from './local-server.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakePexels {
  url: string;
  apiKey: string;
  /** Every request so far, as it came in. */
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** How the next searches are answered. */
  search: Answer;
  /** How pictures are answered, by their path. */
  images: Map<string, Answer>;
  searchCount(): number;
  close(): Promise<void>;
}

/** A stand-in for the stock-photo service and its picture host, over real HTTP. */
export async function startFakePexels(): Promise<FakePexels> {
  const images = new Map<string, Answer>();
  const requests: FakePexels['requests'] = [];
  const { url, stop } = await startLocal((request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers });
    if (path.startsWith('/v1/search?')) return fake.search(request, response);
    const image = images.get(path);
    if (image) return image(request, response);
    response.writeHead(404).end();
  });
  const fake: FakePexels = {
    url,
    apiKey: 'a-key-of-the-trust',
    requests,
    search: answerPhotos([]),
    images,
    searchCount: () => requests.filter(({ path }) => path.startsWith('/v1/search?')).length,
    close: stop,
  };
  return fake;
}

/** A photo in the service's shape, whose pictures are at the addresses given. */
export function servicePhoto(id: number, original: string, large2x = original): Record<string, unknown> {
  return {
    id,
    width: 6000,
    height: 4000,
    url: `https://www.pexels.com/photo/${id}/`,
    photographer: `Photographer ${id}`,
    photographer_url: `https://www.pexels.com/@${id}`,
    avg_color: '#808080',
    alt: `Photo ${id}`,
    src: { original, large2x, medium: original, landscape: original },
  };
}

export function answerPhotos(photos: unknown[], headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-ratelimit-limit': '20000',
      'x-ratelimit-remaining': '19999',
      ...headers,
    });
    response.end(JSON.stringify({ page: 1, per_page: 5, total_results: photos.length, photos }));
  };
}

export function answerStatus(status: number, headers: Record<string, string> = {}): Answer {
  return (_request, response) => void response.writeHead(status, headers).end('{"error":"no"}');
}

export function answerBytes(bytes: Uint8Array, type = 'image/jpeg'): Answer {
  return (_request, response) => void response.writeHead(200, { 'content-type': type }).end(bytes);
}

/** Takes the request and says nothing, ever. */
export const answerNever: Answer = () => {};
