import { Agent } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { processorTime, visit } from '../support/attackers.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { anyAddress, trustTheVisitor } from '../support/visitor.ts';

/** By processor time, which other work on this machine does not change, and beside an answer that costs nothing. */
test('asking for the favicon costs the server little more than asking for robots.txt', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder(), ...trustTheVisitor });
  onTestFinished(async () => void (await server.end()));
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  onTestFinished(() => agent.destroy());
  async function costOf(asked: string): Promise<number> {
    const before = processorTime(server.process.pid);
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const ask = () => visit(server.url, asked, { 'x-forwarded-for': anyAddress() }, agent);
      for (const status of await Promise.all(Array.from({ length: 50 }, ask))) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
    return processorTime(server.process.pid) - before;
  }
  await costOf('/robots.txt');
  const [plain, asked] = [await costOf('/robots.txt'), await costOf('/favicon.svg')];
  // Compressing the logo for each took ten times as long.
  expect(asked).toBeLessThan(3 * plain);
});
