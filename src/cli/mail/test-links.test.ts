import { expect, onTestFinished, test, vi } from 'vitest';
import { readSettings } from '../../server/settings/settings.ts';
import { createTestLinks } from './test-links.ts';

test('the wait ends, and names the addresses at which nobody has pressed', async () => {
  const said: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  const settings = readSettings({
    PUBLIC_URL: 'https://www.trust.example',
    BOT_CHECK_SECRET: '0123456789abcdef0123456789abcdef',
  });
  let asked = '';
  const links = createTestLinks(settings, {
    async findTime(name) {
      asked ||= name;
      return name === asked ? new Date() : null;
    },
  });
  for (const address of ['one@trust.example', 'two@trust.example']) links.linkFor(address);
  expect(await links.waitForPresses(1)).toBe(false);
  const text = said.join('');
  expect(text).toContain('one@trust.example: a person has it');
  expect(text).toContain('Nobody has pressed at two@trust.example. Ask');
});
