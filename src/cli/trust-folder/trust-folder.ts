import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defaultsFolder } from '../../server/content/defaults.ts';
import { defaultLibrary } from '../../server/photos/library.ts';
import { groupHeadings, settingNames, settings } from '../../server/settings/settings-list.ts';
import { commandPath, schemasFolder, stablePath } from './command-path.ts';

/** The facts about a trust that `awhina init` asks for. */
export interface Trust {
  name: string;
  email: string;
  phone: string;
  address: string;
}

/** The files of a trust's folder, by path. Words that a trust does not write come from the defaults. */
export function trustFiles({ name, email, phone, address }: Trust): Record<string, string> {
  return {
    'content/site.yaml': fillTemplate('site.yaml', {
      editorLine: editorLine('site'),
      name: quoted(name),
      email: quoted(email),
      address: quoted(address),
      phone: phone ? `phone: ${quoted(phone)}` : '# phone: "0800 000 000"',
    }),
    'content/helplines.yaml': fillTemplate('helplines.yaml', {
      editorLine: editorLine('helplines'),
      helplines: ourHelplines.replace(/^/gm, '# '),
    }),
    'awhina.env': fillTemplate('awhina.env', { settings: explainSettings() }),
    'README.md': fillTemplate('README.md', { editorLine: editorLine('form'), name }),
  };
}

/** What stands as %word% in a file of template/. */
function fillTemplate(file: string, values: Readonly<Record<string, string>>): string {
  const template = readFileSync(new URL(`./template/${file}`, import.meta.url), 'utf8');
  return template.replace(/%(\w+)%/g, (whole, word) => values[word] ?? ourPlaces[word] ?? whole);
}

const ourPlaces: Readonly<Record<string, string>> = {
  awhina: commandPath,
  defaults: stablePath(defaultsFolder),
  pictures: stablePath(defaultLibrary),
};

/** With this as its first line an editor completes and explains the file. An address, because a path may not have a space there. */
function editorLine(schema: 'site' | 'helplines' | 'form'): string {
  return `# yaml-language-server: $schema=${pathToFileURL(join(schemasFolder, `${schema}.schema.json`))}`;
}

/** YAML reads a JSON string as the same words. */
const quoted = (words: string) => JSON.stringify(words);

/** All of them: a trust that adds one line must not lose Women's Refuge. */
const [, ourHelplines = ''] = readFileSync(join(defaultsFolder, 'helplines.yaml'), 'utf8')
  .trimEnd()
  .split(/\n(?=lines:)/);

const explainSettings = (): string =>
  settingNames
    .map((name) => {
      const { text, example } = settings[name];
      const heading = groupHeadings[name] ? `## ${groupHeadings[name]}\n\n` : '';
      return `${heading}# ${text}\n#${name}=${example}\n`;
    })
    .join('\n');
