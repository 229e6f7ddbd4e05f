import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from './support/running-server.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';

function makeTrust() {
  const folder = temporaryFolder();
  const env = {
    CONTENT_DIR: join(folder, 'content'),
    DATA_DIR: join(folder, 'data'),
    NODE_OPTIONS: '--import ./test/support/unrenderable-question.ts',
  };
  cpSync('content', env.CONTENT_DIR, { recursive: true });
  const form = join(env.CONTENT_DIR, 'forms/contact.yaml');
  const before = readFileSync(form, 'utf8');
  return {
    env,
    askUnrenderable: () =>
      appendFileSync(
        form,
        '\n- { key: Unrenderable, type: text, displayName: A new question, required: false }\n',
      ),
    mend: () => writeFileSync(form, before),
  };
}

test('a form that cannot be rendered ends the start, with the reason', async () => {
  const { env, askUnrenderable } = makeTrust();
  askUnrenderable();
  await expect(startServer(env)).rejects.toThrow(/The server ended with 1:.*no such kind/s);
});

test('a form that cannot be rendered anew turns /health/ready red, is logged, and the last one is served', async () => {
  const { env, askUnrenderable, mend } = makeTrust();
  const server = await serve(env);
  const ready = async () => {
    const response = await fetch(`${server.url}/health/ready`);
    return [response.status, (await response.json()).problems];
  };
  const contact = async () => (await fetch(`${server.url}/contact`)).text();
  const before = await contact();
  expect(before).toContain('name="FirstName"');
  expect(await ready()).toEqual([200, undefined]);

  askUnrenderable();
  const problem = 'the pages could not be rendered anew, so older ones are shown: the log says where';
  await expect.poll(ready).toEqual([503, [problem]]);
  expect(server.lines.join('\n')).toMatch(
    /"level":"error".*"event":"pages not rendered".*"at Module\.render /,
  );
  const withoutStamp = (html: string) => html.replace(/\d{10}-[\w-]{22}/, '');
  expect(withoutStamp(await contact())).toBe(withoutStamp(before));

  mend();
  await expect.poll(ready).toEqual([200, undefined]);
});
