import autocannon from 'autocannon';
import { formQueries, submitMutations } from '../src/model/operations.ts';
import { sampleEntries } from '../test/support/forms.ts';
import { anyAddress } from '../test/support/visitor.ts';

const headers = () => ({ 'content-type': 'application/json', 'x-forwarded-for': anyAddress() });

interface Load {
  /** Answered with 200, per second. */
  perSecond: number;
}

async function run(options: Omit<autocannon.Options, 'url' | 'method'>, url: string): Promise<Load> {
  const result = await autocannon({ url: `${url}/graphql`, method: 'POST', connections: 50, ...options });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${result.non2xx} answers were not 200 and ${result.errors} requests failed, of ${result.requests.total}`,
    );
  }
  return { perSecond: result.requests.total / result.duration };
}

/** Enough that a million requests are few from each, and no limit is reached. */
const addresses = 2_500;

/** Asks for the help form, for so many seconds or so many times, each time from another address. */
export function queryForms(url: string, limit: { duration: number } | { amount: number }): Promise<Load> {
  const body = JSON.stringify({ query: formQueries.help });
  const requests = Array.from({ length: addresses }, () => ({ headers: headers(), body }));
  return run({ ...limit, requests }, url);
}

/** Sends one form a token, each from another address. */
export function submitForms(url: string, tokens: string[]): Promise<Load> {
  const bodies = tokens.map((recaptchaToken) =>
    JSON.stringify({
      query: submitMutations.help,
      variables: { fields: sampleEntries.help, recaptchaToken },
    }),
  );
  const setupRequest = (request: autocannon.Request) => ({
    ...request,
    headers: headers(),
    body: bodies.pop() ?? '{}',
  });
  return run({ amount: tokens.length, requests: [{ setupRequest }] }, url);
}
