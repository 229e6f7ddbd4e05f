import type { Command } from './command.ts';

export const start: Command = {
  summary: 'serve the site',
  usage: `awhina start

Serves the site until it is told to end (Ctrl+C). The settings are in docs/operating.md.`,
  async run() {
    await import('../server/main.ts');
    // The server ends the process by itself.
    return new Promise<number>(() => {});
  },
};
