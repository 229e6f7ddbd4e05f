/** How many frames of a stack are logged. */
const errorFrames = 8;
const causeFrames = 3;

/** An error's type, code and stack. Its message stays out: a database driver may quote the row that failed. */
export function describeError(error: unknown, frames = errorFrames): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, code } = error as { name: unknown; code?: unknown };
  return {
    type: isName(name) ? name : 'Error',
    ...(isName(code) || typeof code === 'number' ? { code } : {}),
    at: framesOf(error).slice(0, frames),
    // The cause of a cause is left out, because an error may be its own cause.
    ...(frames === errorFrames && error.cause !== undefined
      ? { cause: describeError(error.cause, causeFrames) }
      : {}),
  };
}

/** Some libraries build names and codes of errors from their input. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z_$][\w$.-]{0,59}$/.test(value);

/** V8 writes `at name (file:line:column)`, or the file alone. Node's own files begin with `node:`. */
const frame = /^ {4}at (?:[^\n]* \()?(?:file:\/\/|node:|\/|[A-Z]:\\)[^\n]*:\d+:\d+\)?$/;
const frameLength = 150;

/**
 * A stack begins with the message, and a message may have lines that look like frames. So the message is removed first. A
 * stack that does not contain the message is not trusted at all: one of the two was changed.
 */
function framesOf({ message, stack = '' }: Error): string[] {
  const [firstLine = ''] = stack.split('\n', 1);
  const hasNoMessage = message === '' && /^[\w$ ]*:? ?$/.test(firstLine);
  const start = stack.indexOf(message);
  if (!hasNoMessage && (message === '' || start === -1)) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .slice(1)
    .filter((line) => frame.test(line))
    .map((line) => line.trim().slice(0, frameLength));
}
