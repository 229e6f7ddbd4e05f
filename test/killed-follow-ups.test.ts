import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from './support/each-store.ts';
import { compileCache } from './support/server.ts';
import { storeSubmission } from './support/stored-submissions.ts';

/** `npm run test:kills` asks for more than there is time for at every change. */
const kills = process.env.KILLS ? 10 : 1;
const count = 40 * kills;

/** Kills the process after that many acknowledgements; without a number it ends by itself. Resolves to what it acknowledged. */
async function run(environment: Record<string, string>, references: string[], killAfter?: number) {
  const child = spawn(process.execPath, ['test/support/follow-up-process.ts', ...references], {
    env: { PATH: process.env.PATH, ...compileCache, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (lines.push(line) === killAfter) child.kill('SIGKILL');
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(killAfter === undefined ? 0 : null);
  return lines;
}

describe.each(eachStore())('steps in %s', (_name, { open, reopen }) => {
  test('what was acknowledged as a step is so after kill -9, and every answer is counted once', async () => {
    const opened = await open();
    const references: string[] = [];
    while (references.length < count)
      references.push(await storeSubmission(opened.store, { receivedAt: new Date() }));
    await opened.close();

    const acknowledged: string[] = [];
    for (let round = 0; round < kills; round++)
      acknowledged.push(...(await run(opened.environment, references, 1 + ((round * 7 + 16) % 40))));
    const store = await reopen(opened);
    onTestFinished(() => store.close());
    const recorded = async () => {
      const steps: string[] = [];
      for await (const { reference, followUp, changes } of store.iterateSubmissions({})) {
        if (followUp.takenBy) steps.push(`taken ${reference} ${followUp.takenBy}`);
        if (followUp.answeredBy) steps.push(`answered ${reference} ${followUp.answeredBy}`);
        if (followUp.noContactBy) steps.push(`no-contact ${reference} ${followUp.noContactBy}`);
        if (followUp.withdrawnBy) steps.push(`withdrawn ${reference} ${followUp.withdrawnBy}`);
        // Whatever was recorded is told too: neither without the other.
        const isToBeMailed = (await store.findJob(`changed:${reference}`)) !== null;
        expect([reference, isToBeMailed]).toEqual([reference, followUp.noContactBy !== null]);
        expect(changes).toHaveLength(Number(!!followUp.noContactBy) + Number(!!followUp.withdrawnBy));
      }
      return steps;
    };
    const counted = async () =>
      (await store.readFigures('2000-01-01', '2099-12-31')).answered.reduce((sum, one) => sum + one.count, 0);
    const answered = (steps: readonly string[]) => steps.filter((step) => step.startsWith('answered')).length;

    const before = await recorded();
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(before).toEqual(expect.arrayContaining(acknowledged));
    expect(before.length).toBeLessThan(4 * count);
    expect(await counted()).toBe(answered(before));

    // The next process goes on: it finds what was recorded, and changes none of it.
    await run(opened.environment, references);
    const after = await recorded();
    expect(after).toEqual(expect.arrayContaining(before));
    expect([after.length, answered(after), await counted()]).toEqual([4 * count, count, count]);
  });
});
