import { describeUnread } from '../server/delivery/mail-folder.ts';

/** That mail lies in the folder and nobody has said that it was read, and what to do about it. */
export function explainUnread(count: number, folder: string): string {
  return `${describeUnread(count)} in ${folder}. What nobody has read is not erased. Any mail program opens the files; then say so: ./awhina deliveries read --all`;
}
