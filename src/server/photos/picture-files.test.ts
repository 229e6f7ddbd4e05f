import { expect, test } from 'vitest';
import { holdPictures } from './picture-files.ts';

/** Files of a size, how they were read, and how many at a time. */
function prepare(size = 10) {
  const read: string[] = [];
  let [reading, mostAtOnce] = [0, 0];
  const files = holdPictures({
    async read(hash, name) {
      read.push(`${hash}/${name}`);
      mostAtOnce = Math.max(mostAtOnce, ++reading);
      await new Promise(setImmediate);
      reading--;
      if (name === 'broken') throw new Error('no more open files');
      return name === 'none' ? null : Buffer.alloc(size);
    },
  });
  return { files, read, mostAtOnce: () => mostAtOnce };
}

test('a thousand requests for one picture share one copy, and one reading', async () => {
  const { files, read } = prepare();
  expect(files.find('/photos/a/cover.avif')).toBeNull();
  const found = await Promise.all(Array.from({ length: 1_000 }, () => files.read('a', 'cover.avif')));
  expect(new Set(found).size).toBe(1);
  expect(files.find('/photos/a/cover.avif')).toBe(found[0]);
  expect(read).toEqual(['a/cover.avif']);
});

test('one file is open at a time, and all are read in the end', async () => {
  const { files, mostAtOnce } = prepare();
  const found = await Promise.all(Array.from({ length: 100 }, (_, n) => files.read('a', `cover-${n}`)));
  expect(found.every(Boolean)).toBe(true);
  expect(mostAtOnce()).toBe(1);
});

test('a picture that is missing, or cannot be read, is looked for again', async () => {
  const { files, read } = prepare();
  for (let times = 0; times < 2; times++) {
    expect(await files.read('a', 'none')).toBeNull();
    await expect(files.read('a', 'broken')).rejects.toThrow('no more open files');
  }
  expect(read).toHaveLength(4);
});

test('memory has 32 MB of pictures at most', async () => {
  const { files } = prepare(20 * 1024 * 1024);
  await files.read('a', 'one');
  await files.read('a', 'two');
  expect(files.find('/photos/a/one')).toBeNull();
  expect(files.find('/photos/a/two')).not.toBeNull();
});
