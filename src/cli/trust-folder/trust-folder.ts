import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defaultsFolder as ownDefaults } from '../../server/content/defaults.ts';
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

const defaultsFolder = stablePath(ownDefaults);

/** The files of a trust's folder, by path. Words that a trust does not write come from the defaults. */
export function trustFiles(trust: Trust): Record<string, string> {
  return {
    'content/site.yaml': siteYaml(trust),
    'content/helplines.yaml': helplinesYaml,
    'awhina.env': environment(),
    'README.md': readme(trust),
  };
}

/** With this as its first line an editor completes and explains the file. An address, because a path may not have a space there. */
function editorLine(schema: 'site' | 'helplines' | 'form'): string {
  return `# yaml-language-server: $schema=${pathToFileURL(join(schemasFolder, `${schema}.schema.json`))}`;
}

/** YAML reads a JSON string as the same words. */
const quoted = (words: string) => JSON.stringify(words);

function siteYaml({ name, email, phone, address }: Trust): string {
  const number = phone ? `phone: ${quoted(phone)}` : '# phone: "0800 000 000"';
  return `${editorLine('site')}
# Who you are. Save this file and the running site takes it up; awhina check says whether it is right.
# A line that begins with # is ignored: take the # away to use it.
#
# Every other sentence on the pages is our default, until you write your own here under the same name. They are all in
# ${defaultsFolder}/site.yaml
#
# {organisation}, {email}, {address}, {phone}, {hours} and {answerWithin} are filled in. Words in another language are
# marked with it, {mi:Nau mai}, so that a screen reader says them properly.

organisation: ${quoted(name)}
email: ${quoted(email)}
address: ${quoted(address)}

# Your own number in quotes, and when somebody answers it.
${number}
# hours: Monday to Friday, 9 am to 4 pm

# How soon you answer. The receipt promises it: say only what you can keep to.
# answerWithin: within two working days

# After how many working days without an answer you are reminded of a request (help) and of a message (contact), in one
# mail a morning.
# remindAfter:
#   help: 1
#   contact: 2

# When you are closed. until is the day somebody reads again, not the last day you are closed. Every page says so from a
# week before, and the receipt names that day. For several times, a list: each begins with a dash.
# closed:
#   from: 2026-12-24
#   until: 2027-01-11
#   message: Our whole team is away over Christmas.

# Where else you can be found: up to four.
# social:
#   - name: Facebook
#     url: https://www.facebook.com/your-page

# Your number in the register of charities, in the footer of every page.
# charityNumber: CC12345

# Shown when a form could not be sent. Without it nothing is shown, and the other ways to reach you are pointed at.
form:
  failureMessage: Your form has not been sent.

# The words on the large picture of the home page.
# cover:
#   text: "{mi:Nau Mai, Haere Mai} - Welcome to {organisation}"

# What everyone who asks you for help can count on. Say only what is always true.
# promises:
#   - Our help is free.
#   - What you tell us is private.
#   - You do not have to give your real name.

# How the site looks. Colours that cannot be read on each other are refused.
# theme:
#   primary: "#28425b"        # headings, links and buttons
#   accent: "#9f3da4"         # underlines, the focus, Get Help
#   paper: "#fbf8f3"          # the background of every page
#   radius: 16                # of corners, in pixels
#   fonts: { headings: Georgia, text: Verdana }
`;
}

/** All of them: a trust that adds one line must not lose Women's Refuge. */
const [, ourHelplines = ''] = readFileSync(join(ownDefaults, 'helplines.yaml'), 'utf8')
  .trimEnd()
  .split(/\n(?=lines:)/);

const helplinesYaml = `${editorLine('helplines')}
# Where help is right now. The numbers are ours: ${defaultsFolder}/helplines.yaml
# Ring every one of them before the site goes public, and once a year after that. Then put the day here.
checked: never

# Your own list takes the place of all of ours. Take away the # of every line below, then change it. Write numbers in quotes.
${ourHelplines.replace(/^/gm, '# ')}
`;

function environment(): string {
  const entries = settingNames.map((name) => {
    const { text, example } = settings[name];
    const heading = groupHeadings[name] ? `## ${groupHeadings[name]}\n\n` : '';
    return `${heading}# ${text}\n#${name}=${example}\n`;
  });
  return `# The settings of the website, one NAME=value a line. Take away the # before a name to set it, then start the site again.
# It may hold passwords: let nobody else read it, and never mail it or put it into a repository.

${entries.join('\n')}`;
}

function readme({ name }: Trust): string {
  return `# The website of ${name}

| what | where |
|---|---|
| who you are, and what you say in your own words | \`content/site.yaml\` |
| where help is right now | \`content/helplines.yaml\` |
| the site in other languages, such as Easy words | \`content/languages/\` |
| your logo, if you have one | \`content/logo.svg\` |
| the settings: mail, the address on the web | \`awhina.env\` |
| what people sent; made at the first start | \`data/\` |

In this folder:

    ${commandPath} start     serves the site, on http://localhost:3000 until you set something else
    ${commandPath} check     are the words and the settings right?
    ${commandPath} languages which languages visitors are offered
    ${commandPath} help      everything else

To ask other questions, copy \`forms/\` from ${defaultsFolder} into \`content/\` and
change the copy. An editor that knows YAML (such as VS Code with the YAML extension) completes and explains what you write; in your
copies this must be the first line for it:

    ${editorLine('form')}

To show your own pictures, put them into \`content/photos/\` with an \`index.yaml\` as in
${stablePath(defaultLibrary)}, which says how.

Before the site goes public: read the words about privacy in our \`site.yaml\`, and ring every helpline.
`;
}
