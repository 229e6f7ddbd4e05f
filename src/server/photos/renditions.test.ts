import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawing, noise, photo } from '../../../test/support/pictures.ts';
import { allUses, phoneBytes, pictureHash, type Rendition, renditionsFor } from './rendition-specs.ts';
import { cropOf, decodePicture, encode } from './renditions.ts';

const maxPixels = 10_000_000;
const named = (name: string) => renditionsFor(allUses).find((one) => one.name === name) as Rendition;

test('a crop has the given shape, stays inside the picture and contains the focus', () => {
  const length = fc.integer({ min: 50, max: 5000 });
  const percent = fc.integer({ min: 0, max: 100 });
  const shape = fc.record({ width: length, height: length });
  fc.assert(
    fc.property(shape, shape, percent, percent, (picture, wanted, x, y) => {
      const cut = cropOf({ ...picture, focus: { x, y } }, wanted);
      expect(cut.left).toBeGreaterThanOrEqual(0);
      expect(cut.top).toBeGreaterThanOrEqual(0);
      expect(cut.left + cut.width).toBeLessThanOrEqual(picture.width);
      expect(cut.top + cut.height).toBeLessThanOrEqual(picture.height);
      const atX = (x / 100) * picture.width;
      const atY = (y / 100) * picture.height;
      expect(atX).toBeGreaterThanOrEqual(cut.left - 1);
      expect(atX).toBeLessThanOrEqual(cut.left + cut.width + 1);
      expect(atY).toBeGreaterThanOrEqual(cut.top - 1);
      expect(atY).toBeLessThanOrEqual(cut.top + cut.height + 1);
      // Whole pixels are as near to the shape as it gets.
      expect(Math.abs(cut.width * wanted.height - cut.height * wanted.width)).toBeLessThanOrEqual(
        wanted.width + wanted.height,
      );
    }),
  );
});

test('noise itself weighs at most 40 kB where a phone shows it', async () => {
  const pixels = noise(1200, 1000);
  const source = await sharp(pixels, { raw: { width: 1200, height: 1000, channels: 3 } })
    .png()
    .toBuffer();
  const picture = await decodePicture(source, maxPixels);
  const bytes = await encode(picture, named('cover-480@2x.avif'));
  expect(bytes.length).toBeLessThanOrEqual(phoneBytes);
  // The quality goes down in steps, not to the bottom at once.
  expect(bytes.length).toBeGreaterThan(phoneBytes / 4);
});

test('a rendition that fits at no quality is an error, not a heavy picture', async () => {
  const picture = await decodePicture(await photo(), maxPixels);
  await expect(encode(picture, { ...named('cover-480@1x.avif'), atMost: 10 })).rejects.toThrow(
    'does not fit',
  );
});

test('every phone crop is held to that weight, and no other', () => {
  const held = renditionsFor(allUses).filter(({ atMost }) => atMost === phoneBytes);
  expect([...new Set(held.map(({ name }) => name.replace(/@.*/, '')))]).toEqual([
    'cover-480',
    'header-480',
    'card-600',
    'card-340',
  ]);
  expect(held.every(({ format }) => format === 'avif')).toBe(true);
});

const drawn = decodePicture(drawing(), 20_000_000);
test.each([
  ['cover-480@1x.avif', 'heif', 480, 400],
  ['cover-1920@1x.webp', 'webp', 1920, 400],
  ['card-340@2x.jpeg', 'jpeg', 680, 480],
  ['landscape.jpeg', 'jpeg', 1200, 627],
  ['medium.jpeg', 'jpeg', 467, 350],
])('a drawing of 320 × 240 is drawn as large as %s needs it', async (name, format, width, height) => {
  const made = await sharp(await encode(await drawn, named(name))).metadata();
  expect(made).toMatchObject({ format, width, height });
});

test('a photo is not enlarged, is turned upright, and loses its metadata', async () => {
  const source = await sharp(await photo('#28425b', 320, 240))
    .withExif({ IFD0: { Copyright: 'someone' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const picture = await decodePicture(source, maxPixels);
  expect(picture).toMatchObject({ width: 240, height: 320 });
  const made = await sharp(await encode(picture, named('cover-1920@2x.jpeg'))).metadata();
  expect(made).toMatchObject({ width: 240, height: 50 });
  expect(made.exif).toBeUndefined();
});

test('the average colour is right, and a focus is found where none is given', async () => {
  const picture = await decodePicture(await photo('#28425b', 800, 400), maxPixels);
  expect(picture.averageColour).toMatch(/^#[23][0-9a-f][45][0-9a-f]5[0-9a-f]$/);
  expect(picture.focus.x).toBeLessThan(40);
  expect((await decodePicture(await photo(), maxPixels, { x: 90, y: 10 })).focus).toEqual({ x: 90, y: 10 });
});

test('another picture or another focus has another address', () => {
  const hashes = [
    pictureHash(drawing()),
    pictureHash(drawing(), { x: 1, y: 2 }),
    pictureHash(drawing('#fff')),
  ];
  expect(new Set(hashes).size).toBe(3);
  expect(pictureHash(drawing())).toBe(hashes[0]);
});
