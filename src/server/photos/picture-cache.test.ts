import { expect, test } from 'vitest';
import { cachePictures } from './picture-cache.ts';

/** Files that answer when told to, and how they were asked. */
function slowFiles(size = 10) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const files = cachePictures({
    read: (hash, name) => {
      asked.push(`${hash}/${name}`);
      return new Promise((resolve) =>
        answers.push(() => resolve(name === 'none' ? null : Buffer.alloc(size))),
      );
    },
  });
  const answerAll = async () => {
    while (answers.length > 0) {
      answers.shift()?.();
      await new Promise(setImmediate);
    }
  };
  return { files, asked, answerAll };
}

test('a thousand requests for one picture share one copy', async () => {
  const { files, asked, answerAll } = slowFiles();
  const waiting = Array.from({ length: 500 }, () => files.read('a', 'cover'));
  await answerAll();
  const later = Array.from({ length: 500 }, () => files.read('a', 'cover'));
  expect(new Set(await Promise.all([...waiting, ...later])).size).toBe(1);
  expect(asked).toEqual(['a/cover']);
});

test('a missing picture is looked for again, because it may be being made', async () => {
  const { files, asked, answerAll } = slowFiles();
  for (let times = 0; times < 2; times++) {
    const found = files.read('a', 'none');
    await answerAll();
    expect(await found).toBeNull();
  }
  expect(asked).toHaveLength(2);
});

test('only a few files are open at a time, and all are read in the end', async () => {
  const { files, asked, answerAll } = slowFiles();
  const all = Array.from({ length: 100 }, (_, n) => files.read('a', `cover-${n}`));
  expect(asked.length).toBe(8);
  await answerAll();
  expect((await Promise.all(all)).every(Boolean)).toBe(true);
});

test('a picture over the cache’s limit is not cached, but shared while it is still being sent', async () => {
  const { files, asked, answerAll } = slowFiles(20 * 1024 * 1024);
  const first = files.read('a', 'one');
  await answerAll();
  const stillReading = await first;
  const second = files.read('a', 'two');
  await answerAll();
  await second;
  expect(await files.read('a', 'one')).toBe(stillReading);
  expect(asked).toHaveLength(2);
});

test('a read that fails is not remembered', async () => {
  let fails = true;
  const files = cachePictures({
    read: async () => {
      if (fails) throw new Error('no more open files');
      return Buffer.alloc(1);
    },
  });
  await expect(files.read('a', 'one')).rejects.toThrow();
  fails = false;
  expect(await files.read('a', 'one')).toEqual(Buffer.alloc(1));
});
