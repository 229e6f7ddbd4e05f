import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { createKeeping } from './store-health.ts';

const full = new StoreUnavailable('no', { problem: 'the disk is full' });

function prepare() {
  const tryKeeping = vi.fn(() => Promise.reject<void>(full));
  const [onFailed, onWorking] = [vi.fn(), vi.fn()];
  return {
    ...createKeeping({ store: { tryKeeping }, onFailed, onWorking }),
    tryKeeping,
    onFailed,
    onWorking,
  };
}

test('while requests are kept nothing is tried and nothing is wrong', async () => {
  const { kept, findProblem, tryKeeping } = prepare();
  expect(await findProblem()).toBeNull();
  kept();
  expect(await findProblem()).toBeNull();
  expect(tryKeeping).not.toHaveBeenCalled();
});

test('one that could not be kept is a problem until one can, and each change is told once', async () => {
  const { kept, failed, findProblem, onFailed, onWorking } = prepare();
  failed(full);
  failed(full);
  expect(await findProblem()).toBe('the disk is full');
  expect(onFailed).toHaveBeenCalledExactlyOnceWith('the disk is full');
  kept();
  expect(await findProblem()).toBeNull();
  expect(onWorking).toHaveBeenCalledTimes(1);
});

test('where no request comes by any more, a trial in earnest shows that one could be kept', async () => {
  const { failed, findProblem, tryKeeping, onWorking } = prepare();
  failed(full);
  const asked = await Promise.all([findProblem(), findProblem(), findProblem()]);
  expect(asked).toEqual(['the disk is full', 'the disk is full', 'the disk is full']);
  expect(tryKeeping).toHaveBeenCalledTimes(1);
  tryKeeping.mockResolvedValue();
  expect(await findProblem()).toBeNull();
  expect(onWorking).toHaveBeenCalledTimes(1);
});
