import { expect, test } from 'vitest';
import { isForSettings } from './start-problems.ts';
import { StoreUnavailable } from './submissions/submission-store.ts';

const failure = (code?: string) => Object.assign(new Error('no'), code ? { code } : {});

test.each(['28000', '28P01', '3D000', '42501'])(
  '%s of PostgreSQL stops a start, also from within',
  (code) => {
    expect(isForSettings(failure(code))).toBe(true);
    expect(isForSettings(new StoreUnavailable('no', { cause: failure(code) }))).toBe(true);
  },
);

// A lock that lasts, starting up, shutting down, no more connections, a full disk, a standby, nobody there.
test.each(['57014', '57P03', '55000', '53300', '53100', '25006', 'ECONNREFUSED', undefined])(
  '%s does not: it may pass while the spare serves',
  (code) => {
    expect(isForSettings(failure(code))).toBe(false);
    expect(isForSettings(new StoreUnavailable('no', { cause: failure(code) }))).toBe(false);
  },
);
