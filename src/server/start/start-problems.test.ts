import { expect, test } from 'vitest';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { describeUnreachable, explainDatabase } from './start-problems.ts';

const failure = (code?: string) => Object.assign(new Error('no'), code ? { code } : {});

test.each([
  '28000',
  '28P01',
  '3D000',
  '42501',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('%s of PostgreSQL stops a start, also as a cause', (code) => {
  expect(explainDatabase(failure(code))).toContain('DATABASE_URL');
  expect(explainDatabase(new StoreUnavailable('no', { cause: failure(code) }))).toContain('DATABASE_URL');
});

// A lock that lasts, starting up, shutting down, no more connections, a full disk, a standby, nobody there, a certificate
// that ended in the night.
test.each([
  '57014',
  '57P03',
  '55000',
  '53300',
  '53100',
  '25006',
  'ECONNREFUSED',
  'CERT_HAS_EXPIRED',
  undefined,
])('%s does not stop a start: it may pass while the local fallback serves', (code) => {
  expect(explainDatabase(failure(code))).toBeUndefined();
  expect(explainDatabase(new StoreUnavailable('no', { cause: failure(code) }))).toBeUndefined();
});

test('a command says that a certificate has expired, rather than that the database cannot be reached', () => {
  expect(describeUnreachable(failure('CERT_HAS_EXPIRED'))).toMatch(
    /certificate .* has expired\. Renew it\.$/,
  );
  expect(describeUnreachable(failure('ECONNREFUSED'))).toBe(
    'The database in DATABASE_URL cannot be reached.',
  );
});
