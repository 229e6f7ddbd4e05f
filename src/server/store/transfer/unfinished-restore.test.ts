import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { StoreUnfit } from '../contract/errors.ts';
import { refuseUnfinishedRestore } from './unfinished-restore.ts';

test.each(['', '{"pid"'])(
  'a mark of an unfinished restore that is damaged still refuses, in a sentence: %j',
  (text) => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'unfinished-restore'), text);
    expect(() => refuseUnfinishedRestore(dataDir)).toThrow(StoreUnfit);
    expect(() => refuseUnfinishedRestore(dataDir)).toThrow(
      `Move ${dataDir} away, and restore the backup again.`,
    );
  },
);
