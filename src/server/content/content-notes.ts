import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { meaningsOf } from '../../model/choice-meanings.ts';
import { formNames } from '../../model/form-field.ts';
import type { Content } from './content.ts';
import { defaults } from './defaults.ts';
import { findExamples } from './example-trust.ts';
import { nearestWord } from './nearest-word.ts';
import type { ContentProblem } from './read-yaml.ts';
import { findUnread } from './unread-markdown.ts';
import { readWrittenWords, type WrittenWords } from './written-words.ts';

/** What works, and most likely is not what was meant. Each with the line it is on. */
export async function findContentNotes(content: Content): Promise<ContentProblem[]> {
  const { folder } = content;
  const words = await readWrittenWords(folder);
  return [
    ...findExamples(words),
    ...findUnderConstruction(words, content),
    ...words.flatMap((one) => findUnfilled(one, content)),
    ...words.flatMap(findCutOff),
    ...findUnreadMarkdown(words),
    ...findMissingEmail(content),
    ...findMissingLogo(folder),
  ];
}

function findUnderConstruction(words: readonly WrittenWords[], { site }: Content): ContentProblem[] {
  if (!/under construction/i.test(site.cover.text)) return [];
  const line = words.find(({ file, path }) => file === 'site.yaml' && path === 'cover.text')?.line ?? null;
  const message = 'cover › text: says that the website is under construction: is it still?';
  return [{ file: 'site.yaml', line, message }];
}

/** What can be filled in anywhere. */
const everywhere = ['organisation', 'email', 'address', 'phone', 'hours', 'answerWithin', 'social'];
/** And what only there: where our own words for it have such a name, somebody fills it in. */
function filledThere(file: string, path: string): string[] {
  const ours = Object.entries(defaults).find(([name]) => name === file)?.[1];
  const phrase = path
    .split('.')
    .reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], ours);
  const names = typeof phrase === 'string' ? [...phrase.matchAll(inBraces)].map(([, name = '']) => name) : [];
  // Each sentence of the notice may say how long.
  return path.startsWith('privacy.') ? ['retentionDays', ...names] : names;
}

const inBraces = /\{([^{}]*)\}/g;

const isLanguage = (name: string) => /^[a-z]{2,3}:/.test(name);

function findUnfilled({ file, line, path, text }: WrittenWords, { site }: Content): ContentProblem[] {
  const isQuestion = file.startsWith('forms/');
  const known = [...new Set([...everywhere, ...filledThere(file, path).filter((name) => !isLanguage(name))])];
  const unset = (['phone', 'hours'] as const).filter((name) => site[name] === undefined);
  return [...text.matchAll(inBraces)].flatMap(([whole, name = '']) => {
    const say = (why: string) => [{ file, line, message: `${whole} is shown as it stands: ${why}` }];
    if (isQuestion) return say('nothing is filled in within the questions');
    if (isLanguage(name)) return [];
    if (name === 'phone' && !site.phone && path === 'alternativeContact.message')
      return [{ file, line, message: 'is not shown: site.yaml has no phone, so withoutPhone is shown' }];
    if (unset.some((one) => one === name)) return say(`site.yaml has no ${name}`);
    if (known.includes(name)) return [];
    const near = nearestWord(name, known);
    return say(near ? `is {${near}} meant?` : `what can be filled in here is {${known.join('}, {')}}`);
  });
}

/** Words with a space in them are a sentence; behind a single one, such as `type: text`, a comment is a comment. */
function findCutOff({ file, line, text, behindHash }: WrittenWords): ContentProblem[] {
  if (!behindHash || !text.includes(' ')) return [];
  const message = `“# ${behindHash}” is not shown: if it belongs to the sentence, put quotes around all of it`;
  return [{ file, line, message }];
}

/** In the text of the trust's own pages, which begins below the second line of ---. */
function findUnreadMarkdown(words: readonly WrittenWords[]): ContentProblem[] {
  const pages = Map.groupBy(
    words.filter(({ file }) => file.startsWith('pages/')),
    ({ file }) => file,
  );
  return [...pages].flatMap(([file, written]) => {
    const lines = written.map(({ text }) => text.trimEnd());
    const start = lines.indexOf('---', 1) + 1;
    return findUnread(lines.slice(start).join('\n'), start).map((note) => ({ file, ...note }));
  });
}

function findMissingEmail({ forms }: Content): ContentProblem[] {
  return formNames.flatMap((name) => {
    const { definition } = forms[name];
    const asked = meaningsOf(definition).find(({ means }) => means === 'email')?.asks ?? 'Email';
    if (definition.some(({ key }) => key === asked)) return [];
    const message = `has no question with the key ${asked}, so staff cannot reply to the person who sends it`;
    return [{ file: `forms/${name}.yaml`, line: null, message }];
  });
}

function findMissingLogo(folder: string): ContentProblem[] {
  if (existsSync(join(folder, 'logo.svg'))) return [];
  return [
    { file: 'logo.svg', line: null, message: 'is missing: the bar and the browser’s tab show the example’s' },
  ];
}
