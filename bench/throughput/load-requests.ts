import { formQueries, submitMutations } from '../../src/model/operations.ts';
import { sampleEntries } from '../../test/support/forms.ts';
import { mintToken } from '../../test/support/tokens.ts';
import { wireRequest } from '../lean-client.ts';

/** What a client sends, in a way that can be told to another process. */
export type Load =
  | { kind: 'get'; path: string; headers: Record<string, string> }
  | { kind: 'query'; path: string }
  | { kind: 'submission'; path: string; amount: number };

/** The bytes of one request after the other, each from another address. */
export type Requests = () => Buffer;

/** Enough that each sends few, and no limit is reached. */
const addresses = 4_000;

export async function prepareRequests(load: Load): Promise<Requests> {
  const { path } = load;
  if (load.kind === 'get') return inTurn(() => write('GET', path, load.headers));
  if (load.kind === 'query') return inTurn(() => post(path, JSON.stringify({ query: formQueries.help })));
  // One more than are counted, for the answer that is looked at.
  return inTurn(await takeTokens(load.amount + 1, (token) => post(path, submissionBody(token))));
}

export const submissionBody = (recaptchaToken: string) =>
  JSON.stringify({
    query: submitMutations.help,
    variables: { fields: sampleEntries.help, recaptchaToken },
  });

const post = (path: string, body: string) =>
  write('POST', path, { 'content-type': 'application/json' }, body);

const write = (...request: Parameters<typeof wireRequest>) => Buffer.from(wireRequest(...request));

function inTurn(made: Buffer[] | (() => Buffer)): Requests {
  const all = Array.isArray(made) ? made : Array.from({ length: addresses }, made);
  let next = 0;
  return () => all[next++ % all.length] as Buffer;
}

async function takeTokens(amount: number, use: (token: string) => Buffer): Promise<Buffer[]> {
  return Promise.all(Array.from({ length: amount }, async () => use(await mintToken())));
}
