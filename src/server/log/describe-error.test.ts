import { expect, test } from 'vitest';
import { describeError } from './describe-error.ts';

const text = (error: unknown) => JSON.stringify(describeError(error));
const fakeFrames = '\n    at CANARY (/srv/site/answers.ts:1:1)\n    at file:///CANARY.ts:2:2';

test('an error tells its kind, its code and where it happened', () => {
  const error = Object.assign(new TypeError('CANARY'), { code: 'SQLITE_FULL' });
  expect(describeError(error)).toMatchObject({ type: 'TypeError', code: 'SQLITE_FULL' });
  expect((describeError(error).at as string[])[0]).toContain('describe-error.test.ts');
});

test.each([
  ['of one line', 'CANARY'],
  ['of several', 'CANARY\nCANARY'],
  ['with lines that look like frames', `Unknown key "x${fakeFrames}"`],
  ['with nothing but such lines', fakeFrames],
])('nothing of a message %s is in it, but all of the stack is', (_what, message) => {
  const description = describeError(new Error(message));
  expect(JSON.stringify(description)).not.toContain('CANARY');
  expect((description.at as string[])[0]).toContain('describe-error.test.ts');
});

test('where the message was changed after the stack was made, the stack is left out', () => {
  for (const message of ['harmless', '']) {
    const error = new Error(`first${fakeFrames}`);
    error.message = message;
    expect(text(error)).not.toContain('CANARY');
  }
});

test('a name or a code that somebody made up is left out', () => {
  const error = Object.assign(new Error('x'), { name: 'CANARY, with words', code: `CANARY${fakeFrames}` });
  expect(text(error)).not.toContain('CANARY');
  expect(describeError(error)).toMatchObject({ type: 'Error' });
  expect(describeError(error)).not.toHaveProperty('code');
  expect(text(Object.assign(new Error('x'), { name: 'N'.repeat(10_000) })).length).toBeLessThan(2_000);
});

test('an error that is its own cause, or has causes without end, is told in one line', () => {
  const own = new Error('CANARY');
  own.cause = own;
  let deep = new Error('CANARY');
  for (let n = 0; n < 10_000; n++) deep = new Error('CANARY', { cause: deep });
  for (const error of [own, deep]) {
    expect(text(error)).not.toContain('CANARY');
    expect(text(error).length).toBeLessThan(2_500);
  }
});

test.each(['CANARY', 5, null, undefined, { message: 'CANARY' }])(
  'of a thrown %j only its type is described',
  (thrown) => {
    expect(describeError(thrown)).toEqual({ type: typeof thrown });
  },
);
