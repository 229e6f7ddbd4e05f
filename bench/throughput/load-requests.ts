import { submitMutations } from '../../src/model/operations.ts';
import { sampleEntries } from '../../test/support/forms.ts';
import { mintToken } from '../../test/support/tokens.ts';
import { anyAddress } from '../../test/support/visitor.ts';
import type { HttpRequest } from './recorded-response.ts';
import type { Workload } from './workloads.ts';

/** Enough client addresses that each sends few requests and no rate limit is reached. */
const addresses = 4_000;

/** Serialises the requests in advance, each from another address, and hands them out one after the other. */
export async function prepareRequests({ request, submissions }: Workload): Promise<() => Buffer> {
  const prepared =
    submissions === undefined
      ? Array.from({ length: addresses }, () => serialise(request))
      : // One more than is counted, for the response that is checked before the run.
        await Promise.all(Array.from({ length: submissions + 1 }, () => prepareSubmission(request)));
  let next = 0;
  return () => prepared[next++ % prepared.length] as Buffer;
}

async function prepareSubmission(request: HttpRequest): Promise<Buffer> {
  const variables = { fields: sampleEntries.help, recaptchaToken: await mintToken() };
  return serialise({ ...request, body: JSON.stringify({ query: submitMutations.help, variables }) });
}

function serialise({ path, headers, body = '' }: HttpRequest): Buffer {
  const all: Record<string, string> = { host: '127.0.0.1', 'x-forwarded-for': anyAddress(), ...headers };
  if (body) all['content-length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
