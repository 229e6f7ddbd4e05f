const windowMs = 60_000;
/** Different lines that are counted separately; the site has a few dozen. Further lines are counted together. */
const linesAtMost = 500;

/** A repeated line is written once, and a minute later how often it was repeated: no client can fill a disk with lines. */
export function countRepeated<Line>(writeCount: (line: Line | null, repeated: number) => void) {
  const seen = new Map<string, { line: Line; repeated: number }>();
  let others = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const counted = [...seen.values()].filter(({ repeated }) => repeated > 0);
    const rest = others;
    seen.clear();
    others = 0;
    for (const { line, repeated } of counted) writeCount(line, repeated);
    if (rest > 0) writeCount(null, rest);
  }

  function flushSafely(): void {
    try {
      flush();
    } catch {
      // In a timer an error would end the process, and the site matters more than its log.
    }
  }

  return {
    /** Whether this line is to be written. If not, the line is counted. Lines with the same key are the same. */
    isNew(line: Line, key: string): boolean {
      timer ??= setTimeout(flushSafely, windowMs).unref();
      const before = seen.get(key);
      if (before) before.repeated++;
      else if (seen.size < linesAtMost) seen.set(key, { line, repeated: 0 });
      else others++;
      return !before && others === 0;
    },
    /** Writes how often each line was repeated, and resets the counts. */
    flush,
  };
}
