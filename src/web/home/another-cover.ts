/** A random cover other than the last one. */
export function anotherCover(count: number, last: number, random: () => number = Math.random): number {
  if (count < 2) return 0;
  const step = 1 + Math.floor(random() * (count - 1));
  return (last + step) % count;
}
