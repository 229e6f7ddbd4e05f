const windowMs = 60_000;
/** Different lines that are counted apart; the site has a few dozen. All further ones are counted together. */
const linesAtMost = 500;

/** Has a repeated line written once, and then how often it was repeated: no client can fill a disk with it. */
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
    /** Whether this line is to be written. If not, the line is counted. */
    isNew(line: Line, sameAs: string): boolean {
      timer ??= setTimeout(flushSafely, windowMs).unref();
      const before = seen.get(sameAs);
      if (before) before.repeated++;
      else if (seen.size < linesAtMost) seen.set(sameAs, { line, repeated: 0 });
      else others++;
      return !before && others === 0;
    },
    /** Writes how often each line was repeated, and resets the counts. */
    flush,
  };
}
