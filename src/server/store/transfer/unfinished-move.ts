import { join } from 'node:path';

/** The file is there while a move has begun and not ended: both databases may have the same request. */
export const unfinishedMovePath = (dataDir: string) => join(dataDir, 'unfinished-move');
