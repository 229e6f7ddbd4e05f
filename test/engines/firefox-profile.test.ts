import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { filesWith } from '../support/find-in-files.ts';
import { startFormElsewhere } from '../support/form-elsewhere.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { test } from './engine-test.ts';
import { startRecordingFirefox } from './firefox.ts';
import { createVisitor } from './visitor.ts';

/** Letters that stand nowhere else, so that the file's compression leaves them as they are. */
const typed = {
  'First name': 'Jxqvkwz',
  Email: 'qwzxjkv@visitor.example',
  Phone: '0297538461',
  Subject: 'Zjqxwvk',
  'Your message to us': 'Kvwxqjz',
};

const { name, paths } = inject('engine');

/**
 * Firefox writes down what is typed, for a crash or a closed tab that is opened again, and what was sent, to offer it
 * in other forms. WebKitGTK has neither; Chromium's profile is looked at in test/e2e.
 */
for (const script of ['with its script', 'before its script has come']) {
  test.skipIf(name !== 'Firefox')(
    `nothing typed is in Firefox's profile, not even once it was sent, ${script}`,
    async ({ front }) => {
      const profile = temporaryFolder();
      const engine = await startRecordingFirefox(paths, profile);
      onTestFinished(engine.end);
      onTestFinished(front.mend);
      const elsewhere = await startFormElsewhere();
      onTestFinished(elsewhere.stop);

      if (script !== 'with its script') front.fail('/assets/', 'stall');
      const visitor = createVisitor(await engine.open(), front.url);
      await visitor.open('/contact');
      for (const [label, words] of Object.entries(typed)) await visitor.answer(label, words);
      const other = createVisitor(await engine.open(), elsewhere.url);
      await other.open('/');
      await other.answer('Anything', elsewhere.typed);

      let session = '';
      const read = async () => {
        session = await readFile(join(profile, 'sessionstore-backups/recovery.jsonlz4'), 'latin1');
        return session;
      };
      await expect
        .poll(read, { message: 'what was typed later, elsewhere, is there' })
        .toContain(elsewhere.typed);
      expect(Object.values(typed).filter((words) => session.includes(words.slice(0, 7)))).toEqual([]);

      await visitor.press('Send Request');
      await visitor.sees('say this reference');
      await other.press('Go');
      await other.sees('Thank you');
      const history = () =>
        filesWith(profile, elsewhere.typed).filter((path) => path.includes('formhistory'));
      await expect.poll(history, { message: 'what was sent later, elsewhere, is there' }).not.toEqual([]);
      expect(Object.values(typed).filter((words) => filesWith(profile, words).length > 0)).toEqual([]);
    },
  );
}
