import { auditServer } from 'graphql-http';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { anyAddress, trustTheVisitor } from '../support/visitor.ts';

test("the GraphQL foundation's audit of the running server finds no error and nothing to warn of", async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder(), ...trustTheVisitor });
  onTestFinished(async () => void (await server.end()));
  const results = await auditServer({
    url: `${server.url}/graphql`,
    fetchFn: (url: string, { headers, ...options }: RequestInit = {}) =>
      fetch(url, { ...options, headers: { ...headers, 'x-forwarded-for': anyAddress() } }),
  });
  expect(results.length).toBeGreaterThan(50);
  const found = results.filter(({ status }) => status === 'error' || status === 'warn');
  expect(found.map(({ id, name }) => `${id} ${name}`)).toEqual([]);
  // Queries by GET, which a server may take: this one does not.
  const notices = results.filter(({ status }) => status === 'notice');
  expect(notices.filter(({ name }) => !name.includes('GET'))).toEqual([]);
});
