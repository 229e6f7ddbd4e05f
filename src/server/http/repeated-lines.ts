/** Writes a repeated line once, and then how often it came: one client cannot fill a disk with it. */

interface RepeatedLines<Line> {
  /** Whether this line is to be written. If not, the line is counted. */
  isNew(line: Line, sameAs: string): boolean;
  /** Writes how often each line was repeated, and resets the counts. */
  flush(): void;
}

const windowMs = 60_000;
/** Different lines remembered in a window; the site's own are a few dozen. Further ones are counted as one. */
const linesAtMost = 500;

export function countRepeated<Line>(
  writeCount: (line: Line | null, repeated: number) => void,
): RepeatedLines<Line> {
  const seen = new Map<string, { line: Line; repeated: number }>();
  let beyond = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const counted = [...seen.values()].filter(({ repeated }) => repeated > 0);
    const rest = beyond;
    seen.clear();
    beyond = 0;
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
    isNew(line, sameAs) {
      timer ??= setTimeout(flushSafely, windowMs).unref();
      const before = seen.get(sameAs);
      if (before) before.repeated++;
      else if (seen.size < linesAtMost) seen.set(sameAs, { line, repeated: 0 });
      else beyond++;
      return !before && beyond === 0;
    },
    flush,
  };
}
