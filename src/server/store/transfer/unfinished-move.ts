import { join } from 'node:path';

/** There while a move is begun and not ended: until then both databases may hold the same request. */
export const unfinishedMovePath = (dataDir: string) => join(dataDir, 'unfinished-move');
