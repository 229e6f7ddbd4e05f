/** No work that writes its process ID down takes this long. After an hour the ID may be another process's. */
const longestMs = 60 * 60_000;

/** Whether another process, which wrote its ID down at this time, may still be at work. */
export function isRunning(pid: number, writtenAt: Date): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  if (Date.now() - writtenAt.getTime() > longestMs) return false;
  try {
    // Signal 0 only asks whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, and is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
