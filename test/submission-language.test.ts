import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AboutAnswers, createSeal, generateKeyPair } from '../src/server/submissions/seal.ts';
import { prepareCommands } from './support/commands.ts';
import { parseCsv } from './support/csv.ts';
import { shippedContent } from './support/forms.ts';
import { storeSubmission } from './support/stored-submissions.ts';

const day = 24 * 3_600_000;
const [older, newer] = [new Date(Date.now() - 2 * day), new Date(Date.now() - day)];

describe('the language of a request', () => {
  test('is in the list where one has it, in the letter and in the export', async () => {
    const { store, ask } = await prepareCommands();
    const original = await storeSubmission(store, { receivedAt: older });
    expect((await ask('list')).out).not.toContain('LANGUAGE');
    expect((await ask('show', original)).out).not.toContain('Written on the page');

    const samoan = await storeSubmission(store, { receivedAt: newer, language: 'sm' });
    const [head, first, second] = (await ask('list')).out.split('\n');
    expect(head).toMatch(/REFERENCE +LANGUAGE +STATUS$/);
    expect(first).toMatch(new RegExp(`${samoan} +sm +waiting$`));
    expect(second).toMatch(new RegExp(`${original} +waiting$`));
    expect(JSON.parse((await ask('list', '--json')).out)).toMatchObject([
      { reference: samoan, language: 'sm' },
      { reference: original, language: null },
    ]);
    expect((await ask('show', samoan)).out).toMatch(/\nWritten on the page in: Samoan \(sm\)\nReference: /);
    const [titles = [], ...rows] = parseCsv((await ask('export', '--csv')).out.slice(1));
    expect(rows.map((row) => row[titles.indexOf('Language')])).toEqual(['Samoan (sm)', '']);
    const exported = JSON.parse((await ask('export', '--json')).out);
    expect(exported).toMatchObject([{ language: 'sm' }, { language: null }]);
  });

  test('is known to nobody without the key where it is sealed', async () => {
    const { store, ask, dataDir } = await prepareCommands();
    const { recipient, identity } = await generateKeyPair();
    const about: AboutAnswers = {
      form: 'help',
      receivedAt: newer.toISOString(),
      urgent: false,
      verdict: { kind: 'clean' },
      definition: shippedContent.forms.help.definition,
      language: 'niu',
    };
    const seal = createSeal([recipient]);
    const reference = await storeSubmission(store, {
      receivedAt: newer,
      seal: (answers) => seal(answers, about),
    });
    const key = join(dataDir, 'key.txt');
    writeFileSync(key, identity);
    expect((await ask('list')).out).not.toContain('LANGUAGE');
    expect((await ask('show', reference)).out).not.toContain('Written on the page');
    expect(JSON.parse((await ask('show', reference, '--json')).out)).toMatchObject({ language: null });
    expect((await ask('show', reference, '--identity', key)).out).toContain(
      'Written on the page in: Niuean (niu)',
    );
    expect((await ask('export', '--csv', '--identity', key)).out).toContain('"Niuean (niu)"');
  });
});
