import { describeUnread, findUnread } from '../../server/delivery/folder/mail-folder.ts';

/** Says that mail in the folder is unread, and what to do about it. */
export function explainUnread(count: number, folder: string): string {
  return `${describeUnread(count)} in ${folder}. Any mail program opens the files; then say so: ./awhina deliveries read --all`;
}

/**
 * The references of the requests whose mail is unread in the folder. None where this user may not read the folder: a user
 * with a right to the database alone can still list requests.
 */
export async function findUnreadReferences(folder: string): Promise<Set<string>> {
  const found = await findUnread(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') return [];
    throw error;
  });
  return new Set(found.flatMap(({ references }) => references));
}
