import { expect, test } from 'vitest';
import { listen } from '../../../test/support/canary.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { collectLog } from '../../../test/support/log.ts';
import { createHeartbeat } from './heartbeat.ts';

test('a heartbeat sends no data and follows no redirect, and its URL is never logged', async () => {
  const asked: string[] = [];
  const url = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(asked.length < 3 ? 500 : 302, { location: '/elsewhere' }).end();
    });
  });
  const { log, lines } = collectLog();
  const sendHeartbeat = createHeartbeat(`${url}/secret-address`, log, { pauseMs: 1 });
  await sendHeartbeat(new AbortController().signal);
  expect(asked).toEqual(Array(3).fill('GET /secret-address '));
  expect(lines.join()).toContain('HTTP 302');
  await createHeartbeat(`http://127.0.0.1:${await freePort()}/secret-address`, log, { pauseMs: 1 })(
    new AbortController().signal,
  );
  expect(lines.join()).toContain('ECONNREFUSED');
  expect(lines.join()).not.toContain('secret-address');
});
