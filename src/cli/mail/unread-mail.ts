import { describeUnread, findUnread } from '../../server/delivery/folder/mail-folder.ts';

/** That mail lies in the folder and nobody has said that it was read, and what to do about it. */
export function explainUnread(count: number, folder: string): string {
  return `${describeUnread(count)} in ${folder}. What nobody has read is not erased. Any mail program opens the files; then say so: ./awhina deliveries read --all`;
}

/**
 * The references of what was written to the folder of mails, where nobody may have looked. None where this user may not see the
 * folder: somebody with a right to the database alone can still list it.
 */
export async function findUnreadReferences(folder: string): Promise<Set<string>> {
  const found = await findUnread(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') return [];
    throw error;
  });
  return new Set(found.flatMap(({ references }) => references));
}
