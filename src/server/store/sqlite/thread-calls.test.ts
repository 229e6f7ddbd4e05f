import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { startThread } from './thread-calls.ts';

type Offered = { echo(word: string): string; fail(): never; die(): never; wait(ms: number): void };

const source = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ name, given }) => {
    if (name === 'die') process.exit(1);
    if (name === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, given[0]);
    if (name === 'fail') {
      const failure = { name: 'Error', message: 'no', stack: undefined, code: 'ERR_SQLITE_ERROR', errcode: 13 };
      parentPort.postMessage({ failure });
    } else parentPort.postMessage({ result: given[0] });
  });`;

function prepare() {
  const module = join(temporaryFolder(), 'thread.mjs');
  writeFileSync(module, source);
  const thread = startThread<Offered>(pathToFileURL(module), {});
  onTestFinished(() => thread.close());
  return thread;
}

test('a failure arrives with its codes', async () => {
  const thread = prepare();
  await expect(thread.call('fail', () => [])).rejects.toMatchObject({
    code: 'ERR_SQLITE_ERROR',
    errcode: 13,
  });
  expect(await thread.call('echo', () => ['still here'])).toBe('still here');
});

test('a thread that dies fails the running call alone; the next call starts a new thread', async () => {
  const thread = prepare();
  const dying = thread.call('die', () => []);
  const next = thread.call('echo', () => ['again']);
  await expect(dying).rejects.toThrow('The thread ended');
  expect(await next).toBe('again');
});

test('an urgent call goes first, and its arguments are evaluated when it is sent', async () => {
  const thread = prepare();
  const order: string[] = [];
  const note = (word: string) => (): [string] => {
    order.push(word);
    return [word];
  };
  await Promise.all([
    thread.call('wait', () => [50]),
    thread.call('echo', note('a chore')),
    thread.call('echo', note('another')),
    thread.call('echo', note('a visitor'), true),
  ]);
  expect(order).toEqual(['a visitor', 'a chore', 'another']);
});

test('a closed thread answers the calls made before, and rejects later ones', async () => {
  const thread = prepare();
  const before = thread.call('echo', () => ['before']);
  await thread.close();
  expect(await before).toBe('before');
  await expect(thread.call('echo', () => ['after'])).rejects.toThrow('closed');
});

test('where no thread can be started, the call fails and `onDead` is called', async () => {
  const onDead = vi.fn();
  const cannotCross = { given: () => {} };
  const thread = startThread<Offered>(pathToFileURL('/nowhere.mjs'), cannotCross, { onDead });
  await expect(thread.call('echo', () => ['anyone?'])).rejects.toThrow('could not be cloned');
  expect(onDead).toHaveBeenCalledTimes(1);
});
