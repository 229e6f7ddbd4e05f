import { constants } from 'node:fs';

/**
 * How a file is opened that must outlast a power cut: every write is on the disk when it returns. A sync afterwards
 * would do as well, but Node refuses fsync under its permission model, which the server runs under (deploy/).
 */
export const writeSynced = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_SYNC;
