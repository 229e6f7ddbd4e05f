/** No work that leaves a process number behind takes this long: after it, the number is another process's. */
const longestMs = 60 * 60_000;

/** Whether another process, which wrote down its number at this time, may still be at work. */
export function isRunning(pid: number, writtenAt: Date, now = new Date()): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  if (now.getTime() - writtenAt.getTime() > longestMs) return false;
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process, which is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
