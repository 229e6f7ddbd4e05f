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

test('while requests are kept nothing is tried and nothing is wrong', async () => {
  const { recordSuccess: stored, findProblem, tryWrite } = prepare();
  expect(await findProblem()).toBeNull();
  stored();
  expect(await findProblem()).toBeNull();
  expect(tryWrite).not.toHaveBeenCalled();
});

test('one that could not be kept is a problem until one can, and each change is told once', async () => {
  const { recordSuccess: stored, recordFailure: failed, findProblem, onFailed, onWorking } = prepare();
  failed(full);
  failed(full);
  expect(await findProblem()).toBe('the disk is full');
  expect(onFailed).toHaveBeenCalledExactlyOnceWith('the disk is full');
  stored();
  expect(await findProblem()).toBeNull();
  expect(onWorking).toHaveBeenCalledTimes(1);
});

test('where no request comes by any more, a trial in earnest shows that one could be kept', async () => {
  const { recordFailure: failed, findProblem, tryWrite, onWorking } = prepare();
  failed(full);
  const asked = await Promise.all([findProblem(), findProblem(), findProblem()]);
  expect(asked).toEqual(['the disk is full', 'the disk is full', 'the disk is full']);
  expect(tryWrite).toHaveBeenCalledTimes(1);
  tryWrite.mockResolvedValue();
  expect(await findProblem()).toBeNull();
  expect(onWorking).toHaveBeenCalledTimes(1);
});
