import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { createStoreHealth } from './store-health.ts';

const full = new StoreUnavailable('no', { problem: 'the disk is full' });

function prepare() {
  const tryWrite = vi.fn(() => Promise.reject<void>(full));
  const [onFailed, onWorking] = [vi.fn(), vi.fn()];
  return {
    ...createStoreHealth({ store: { tryWrite: tryWrite }, onFailed, onWorking }),
    tryWrite,
    onFailed,
    onWorking,
  };
}

test('while requests are stored there is no trial write and no problem', async () => {
  const { recordSuccess, findProblem, tryWrite } = prepare();
  expect(await findProblem()).toBeNull();
  recordSuccess();
  expect(await findProblem()).toBeNull();
  expect(tryWrite).not.toHaveBeenCalled();
});

test('a request that could not be stored is a problem until one is stored, and each change is reported once', async () => {
  const { recordSuccess, recordFailure, findProblem, onFailed, onWorking } = prepare();
  recordFailure(full);
  recordFailure(full);
  expect(await findProblem()).toBe('the disk is full');
  expect(onFailed).toHaveBeenCalledExactlyOnceWith('the disk is full');
  recordSuccess();
  expect(await findProblem()).toBeNull();
  expect(onWorking).toHaveBeenCalledTimes(1);
});

test('where no further request comes, a trial write shows that one could be stored', async () => {
  const { recordFailure, findProblem, tryWrite, onWorking } = prepare();
  recordFailure(full);
  const asked = await Promise.all([findProblem(), findProblem(), findProblem()]);
  expect(asked).toEqual(['the disk is full', 'the disk is full', 'the disk is full']);
  expect(tryWrite).toHaveBeenCalledTimes(1);
  tryWrite.mockResolvedValue();
  expect(await findProblem()).toBeNull();
  expect(onWorking).toHaveBeenCalledTimes(1);
});
