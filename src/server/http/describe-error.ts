/** Where it happened and what kind it was. The message stays out: a driver may quote the row it choked on. */
export function describeError(error: unknown, frames = 8): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, code } = error as { name: unknown; code?: unknown };
  return {
    type: isName(name) ? name : 'Error',
    ...(isName(code) || typeof code === 'number' ? { code } : {}),
    at: framesOf(error).slice(0, frames),
    // Of the cause's causes nothing, or an error that is its own cause would never end.
    ...(frames === 8 && error.cause !== undefined ? { cause: describeError(error.cause, 3) } : {}),
  };
}

/** Names and codes are written by programs, but some programs write them from what they were given. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z_$][\w$.-]{0,59}$/.test(value);

/** As V8 writes it: `at name (place:line:column)`, or the place alone. Ours are files; Node's begin with `node:`. */
const frame = /^ {4}at (?:[^\n]* \()?(?:file:\/\/|node:|\/|[A-Z]:\\)[^\n]*:\d+:\d+\)?$/;
const frameLength = 150;

/**
 * The stack begins with the message, and a message may hold lines that look like frames: an answer's key did. So the
 * message is taken off first; where the stack does not have it, because it was changed since, nothing there is certain.
 */
function framesOf({ message, stack = '' }: Error): string[] {
  const [firstLine = ''] = stack.split('\n', 1);
  const hasNone = message === '' && /^[\w$ ]*:? ?$/.test(firstLine);
  const start = stack.indexOf(message);
  if (!hasNone && (message === '' || start === -1)) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .slice(1)
    .filter((line) => frame.test(line))
    .map((line) => line.trim().slice(0, frameLength));
}
