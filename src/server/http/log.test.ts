import { expect, test } from 'vitest';
import { keepLog } from '../../../test/support/log.ts';

test('a line holds what is on the list and nothing else', () => {
  const { log, lines } = keepLog();
  log.info({ event: 'submission kept', reference: 'HK7W-3RQX', answers: 'CANARY' }, 'CANARY %s', 'CANARY');
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.any(String),
    event: 'submission kept',
    reference: 'HK7W-3RQX',
  });
});

test('an error tells its kind, its code and where, never its message', () => {
  const { log, lines } = keepLog();
  const cause = Object.assign(new Error('CANARY'), { code: 'SQLITE_FULL', row: 'CANARY' });
  log.error({ event: 'submission not kept', err: new Error('CANARY\nCANARY', { cause }) });
  expect(lines[0]).not.toContain('CANARY');
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({ type: 'Error', cause: { code: 'SQLITE_FULL' } });
});

test("other people's sentences are not written down", () => {
  const { log, lines } = keepLog();
  log.info('CANARY');
  log.info({ req: { url: 'CANARY' } }, 'CANARY');
  log.child({ visitor: 'CANARY' }).error({ err: new Error('CANARY') }, 'CANARY');
  expect(lines.join('')).not.toContain('CANARY');
});
