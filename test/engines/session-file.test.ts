import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary.ts';
import { test } from './engine-test.ts';
import { startRecordingFirefox } from './firefox.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** Letters that stand nowhere else, so that the file's compression leaves them as they are. */
const typed = { 'First name': 'Jxqvkwz', Email: 'qwzxjkv@visitor.example', Phone: '0297538461' };
const control = 'Wvkqzjx';

const { name, paths } = inject('engine');

/** Firefox writes down what is typed, for a crash or a closed tab that is opened again. The others do not. */
for (const script of ['with its script', 'before its script has come']) {
  test.skipIf(name !== 'Firefox')(
    `nothing typed is written to the session file, ${script}`,
    async ({ front, neutral }) => {
      const profile = temporaryFolder();
      const engine = await startRecordingFirefox(paths, profile);
      onTestFinished(engine.end);
      onTestFinished(front.mend);
      const written = () => readFile(join(profile, 'sessionstore-backups/recovery.jsonlz4'), 'latin1');

      if (script !== 'with its script') front.fail('/assets/', 'stall');
      const visitor = createVisitor(await engine.open(), front.url);
      await visitor.open('/contact');
      for (const [label, words] of Object.entries(typed)) await visitor.answer(label, words);
      const other = createVisitor(await engine.open(), neutral.url);
      await typeElsewhere(other);

      let file = '';
      const read = async () => {
        file = await written();
        return file;
      };
      await expect.poll(read, { message: 'what was typed later, elsewhere, is there' }).toContain(control);
      expect(Object.values(typed).filter((words) => file.includes(words.slice(0, 7)))).toEqual([]);
    },
  );
}

async function typeElsewhere(visitor: Visitor): Promise<void> {
  await visitor.open('/');
  await visitor.driver.run(() => {
    document.body.innerHTML = '<label for="any">Anything</label><input id="any">';
  });
  await visitor.answer('Anything', control);
}
