import { expect, test } from 'vitest';
import { collectLog } from '../../../test/support/log.ts';

test('a line has the listed properties and nothing else', () => {
  const { log, lines } = collectLog();
  log.info({ event: 'submission stored', reference: 'HK7W-3RQX', answers: 'CANARY' }, 'CANARY %s', 'CANARY');
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.any(String),
    event: 'submission stored',
    reference: 'HK7W-3RQX',
  });
});

test('an error tells its kind, its code and where, never its message', () => {
  const { log, lines } = collectLog();
  const cause = Object.assign(new Error('CANARY'), { code: 'SQLITE_FULL', row: 'CANARY' });
  log.error({ event: 'submission not stored', err: new Error('CANARY\nCANARY', { cause }) });
  expect(lines[0]).not.toContain('CANARY');
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({ type: 'Error', cause: { code: 'SQLITE_FULL' } });
});

test('messages of other libraries are not logged', () => {
  const { log, lines } = collectLog();
  log.info('CANARY');
  log.info({ req: { url: 'CANARY' } }, 'CANARY');
  log.child({ visitor: 'CANARY' }).error({ err: new Error('CANARY') }, 'CANARY');
  expect(lines.join('')).not.toContain('CANARY');
});

test('trouble that repeats itself is written once, and then how often', () => {
  const { log, lines } = collectLog();
  for (let n = 0; n < 500; n++) log.error({ event: 'request failed', err: makeError(), ms: n });
  expect(lines).toHaveLength(1);
  log.flush();
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({
    level: 'error',
    event: 'request failed',
    repeated: 499,
  });
});
const makeError = () => new Error('CANARY');

test('different problems, the site’s own events, and lines with a reference are logged each time', () => {
  const { log, lines } = collectLog();
  for (const reason of ['one', 'two']) log.warn({ event: 'bot check unreachable', reason });
  for (let n = 0; n < 2; n++) log.info({ event: 'content changed' });
  for (let n = 0; n < 2; n++) log.warn({ event: 'delivery postponed', reference: 'HK7W-3RQX' });
  expect(lines).toHaveLength(6);
});

test('a request leaves one line at most, whatever happens to it', () => {
  const { log, lines } = collectLog();
  const request = log.child({});
  for (let n = 0; n < 50; n++) request.error({ event: `graphql failed ${n}` });
  log.child({}).error({ event: 'request failed' });
  expect(lines).toHaveLength(2);
});

test('no line is long', () => {
  const { log, lines } = collectLog();
  const long = 'x'.repeat(100_000);
  const cause = Object.assign(new Error(long), { code: long, name: long });
  log.error({ event: long, reason: long, route: long, problem: long, err: new Error(long, { cause }) });
  expect(lines[0]?.length).toBeLessThan(4_000);
});
