import { expect, onTestFinished, test } from 'vitest';
import { fieldTypes } from '../../src/model/field-types.ts';
import { longBody, openConnections, slowBody, slowHeaders, visitAll } from '../support/attackers.ts';
import { sampleEntries } from '../support/forms.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken } from '../support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from '../support/visitor.ts';

async function start(openFiles: number, settings: Record<string, string> = {}) {
  const server = await startServer({ DATA_DIR: temporaryFolder(), ...settings }, { openFiles });
  onTestFinished(async () => void (await server.end()));
  return server;
}

test.each([
  ['connections on which nothing is sent', 1_024, 1_500, ''],
  ['requests whose headers never end', 1_024, 1_500, slowHeaders],
  ['forms that never end', 1_024, 1_500, slowBody],
  ['connections on which nothing is sent, with next to no open files', 256, 500, ''],
])('%s keep no visitor out, and do not end the server', async (_what, openFiles, count, firstBytes) => {
  const server = await start(openFiles);
  const attack = await openConnections(server.url, count, firstBytes);
  onTestFinished(() => attack.end());
  // The bound was reached: some had to go.
  await expect.poll(() => attack.closed()).toBeGreaterThan(count - openFiles);
  expect(await visitAll(server.url)).toEqual([200]);
  expect(isReceipt(await send(server.url, 'help', sampleEntries.help, await mintToken()))).toBe(true);
  expect(server.process.exitCode).toBeNull();
  attack.end();
  expect(await visitAll(server.url)).toEqual([200]);
  expect(await server.end()).toBe(0);
});

const longest = sampleEntries.contact.map((entry) =>
  entry.key === 'Message' ? { ...entry, value: 'ā'.repeat(fieldTypes.textarea.maxLength) } : entry,
);

test.each([
  ['that never end', longBody(196_608).slice(0, -1)],
  ['that are whole', longBody(17_000)],
])(
  'hundreds of long forms %s do not prevent the longest form of another visitor',
  async (_what, firstBytes) => {
    const server = await start(1_024, trustTheVisitor);
    const attack = await openConnections(server.url, 500, firstBytes);
    onTestFinished(() => attack.end());
    expect(isReceipt(await send(server.url, 'contact', longest, await mintToken()))).toBe(true);
    expect(await visitAll(server.url, 1)).toEqual([200]);
  },
);

test('wave after wave of connections keeps no visitor out', async () => {
  const server = await start(256);
  for (let wave = 0; wave < 10; wave++) {
    const attack = await openConnections(server.url, 200, wave % 2 === 0 ? '' : slowHeaders);
    onTestFinished(() => attack.end());
    expect(await visitAll(server.url, 2)).toEqual([200]);
  }
});
