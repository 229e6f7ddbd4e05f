import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readSettings } from '../server/settings.ts';
import { type Command, CommandFailed } from './command.ts';
import { command } from './trust-folder.ts';

const inProduct = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const start: Command = {
  summary: 'serves the site of the folder it is run in',
  usage: `awhina start

  The words are those in content/, and the requests go to data/, both in this folder unless CONTENT_DIR and DATA_DIR
  say otherwise.`,

  async run(args) {
    parseArgs({ args, options: {} });
    if (!existsSync(inProduct('dist/client/.vite/manifest.json')))
      throw new CommandFailed(`The pages are not built yet: run npm run build once, in ${inProduct('')}`);
    const { contentDir, dataDir } = readSettings();
    if (!existsSync(contentDir) && !existsSync(join(dataDir, 'content')))
      throw new CommandFailed(
        `There is no ${contentDir}. Go to your trust's folder first, or make one: ${command} init FOLDER`,
      );
    if (!process.execve) throw new CommandFailed('This system cannot do that. Run npm start instead.');
    // The server takes this process's place: what is sent to it, signals included, nobody has to pass on.
    return process.execve(process.execPath, [process.execPath, inProduct('src/server/main.ts')]);
  },
};
