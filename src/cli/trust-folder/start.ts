import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readSettings } from '../../server/settings/settings.ts';
import { type Command, CommandFailed } from '../command.ts';
import { commandPath } from './command-path.ts';

const product = fileURLToPath(new URL('../../../', import.meta.url));

export const start: Command = {
  summary: 'serve the site in the current folder',
  usage: `awhina start

  Serves the site until it is told to end (Ctrl+C). The words are those in content/, and the requests go to data/, both
  in this folder unless CONTENT_DIR and DATA_DIR say otherwise.`,
  asOwner: true,

  async run(args) {
    parseArgs({ args, options: {} });
    if (!existsSync(join(product, 'dist/client/.vite/manifest.json')))
      throw new CommandFailed(`The pages are not built yet: run npm run build once, in ${product}`);
    const { contentDir, dataDir } = readSettings();
    if (!existsSync(contentDir) && !existsSync(join(dataDir, 'content')))
      throw new CommandFailed(
        `There is no ${contentDir}. Go to your trust's folder first, or make one: ${commandPath} init FOLDER`,
      );
    await import('../../server/main.ts');
    // The server ends the process by itself.
    return new Promise<number>(() => {});
  },
};
