import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isWay, meaningsOf } from '../../model/choice-meanings.ts';
import { formNames } from '../../model/form-field.ts';
import { forms as formEntries } from '../../model/forms.ts';
import type { Helpline } from '../../model/helplines.ts';
import { asText } from '../../model/phrase.ts';
import { placeholders } from './catalogue.ts';
import type { Content } from './content.ts';
import { type ContentText, readContentTexts } from './content-texts.ts';
import { defaults } from './defaults.ts';
import { findExamples } from './example-trust.ts';
import { nearestWord } from './nearest-word.ts';
import { findOlderForms, findOlderHelplines } from './older-content-notes.ts';
import { helplinesSchema } from './read-helplines.ts';
import { readPromise } from './read-promise.ts';
import type { ContentProblem } from './read-yaml.ts';
import { findUnsupported } from './unsupported-markdown.ts';

/** Notes on content that is valid and most likely unintended, each with its line. */
export async function findContentNotes(content: Content): Promise<ContentProblem[]> {
  const { folder } = content;
  const texts = await readContentTexts(folder);
  return [
    ...findExamples(texts),
    ...findUnderConstruction(texts, content),
    ...texts.flatMap((one) => findUnfilledPlaceholders(one, content)),
    ...texts.flatMap(findCutOffSentence),
    ...findUnsupportedMarkdown(texts),
    ...findLateReminders(texts, content),
    ...findUnreadPrivacy(texts, content),
    ...findMissingEmail(content),
    ...findMissingMeanings(content),
    ...findMissingHelplines(texts, content),
    ...findOlderForms(content),
    ...findOlderHelplines(content),
    ...findMissingLogo(folder),
  ];
}

function findUnderConstruction(texts: readonly ContentText[], { site }: Content): ContentProblem[] {
  if (!/under construction/i.test(site.cover.text)) return [];
  const line = texts.find(({ file, path }) => file === 'site.yaml' && path === 'cover.text')?.line ?? null;
  const message = 'cover › text: says that the website is under construction: is it still?';
  return [{ file: 'site.yaml', line, message }];
}

/** Placeholders that are filled in only in this phrase: its default contains them. */
function placeholdersOfDefault(file: string, path: string): string[] {
  const fileDefaults = Object.entries(defaults).find(([name]) => name === file)?.[1];
  const phrase = path
    .split('.')
    .reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], fileDefaults);
  return typeof phrase === 'string' ? [...phrase.matchAll(inBraces)].map(([, name = '']) => name) : [];
}

const shownWithoutPhone: Readonly<Record<string, string>> = {
  'alternativeContact.message': 'withoutPhone',
  'form.receipt.change': 'changeWithoutPhone',
};

const inBraces = /\{([^{}]*)\}/g;

const isLanguage = (name: string) => /^[a-z]{2,3}(-\w+)*:/.test(name);

function findUnfilledPlaceholders(
  { file, line, path, text }: ContentText,
  { site }: Content,
): ContentProblem[] {
  const isQuestion = file.startsWith('forms/');
  const known = [
    ...new Set([
      ...Object.keys(placeholders.everywhere),
      ...Object.keys(path.startsWith('privacy.') ? placeholders.privacy : {}),
      ...placeholdersOfDefault(file, path).filter((name) => !isLanguage(name)),
    ]),
  ];
  const unset = (['phone', 'hours'] as const).filter((name) => site[name] === undefined);
  return [...text.matchAll(inBraces)].flatMap(([whole, name = '']) => {
    const say = (why: string) => [{ file, line, message: `${whole} is shown as it stands: ${why}` }];
    if (isQuestion) return say('nothing is filled in within the questions');
    if (isLanguage(name)) return [];
    const shown = name === 'phone' && !site.phone && shownWithoutPhone[path];
    if (shown) return [{ file, line, message: `is not shown: site.yaml has no phone, so ${shown} is shown` }];
    if (unset.some((one) => one === name)) return say(`site.yaml has no ${name}`);
    if (known.includes(name)) return [];
    const near = nearestWord(name, known);
    return say(near ? `is {${near}} meant?` : `what can be filled in here is {${known.join('}, {')}}`);
  });
}

/** A YAML comment after a sentence is most likely part of the sentence; after a single word, such as `type: text`, it is not. */
function findCutOffSentence({ file, line, text, comment }: ContentText): ContentProblem[] {
  if (!comment || !text.includes(' ')) return [];
  const message = `“# ${comment}” is not shown: if it belongs to the sentence, put quotes around all of it`;
  return [{ file, line, message }];
}

/** In the text of own pages, which begins after the second line of ---. */
function findUnsupportedMarkdown(texts: readonly ContentText[]): ContentProblem[] {
  const pages = Map.groupBy(
    texts.filter(({ file }) => file.startsWith('pages/')),
    ({ file }) => file,
  );
  return [...pages].flatMap(([file, pageLines]) => {
    const lines = pageLines.map(({ text }) => text.trimEnd());
    const start = lines.indexOf('---', 1) + 1;
    return findUnsupported(lines.slice(start).join('\n'), start).map((note) => ({ file, ...note }));
  });
}

function findLateReminders(texts: readonly ContentText[], { site, remindAfter }: Content): ContentProblem[] {
  const promised = readPromise(asText(site.answerWithin));
  const line = texts.find(({ file, path }) => file === 'site.yaml' && path === 'answerWithin')?.line ?? null;
  return formNames.flatMap((form) => {
    const days = remindAfter[form];
    if (promised === null || days <= promised) return [];
    const message = `remindAfter › ${form}: staff are reminded after ${days} working days, later than answerWithin promises an answer (“${asText(site.answerWithin)}”)`;
    return [{ file: 'site.yaml', line, message }];
  });
}

/** Words of a trust's own that promise more than the law lets it keep. */
const neverShared = /\b(do not|don['’]t|never) (pass|share|give)\b/i;

/** An example needs no lawyer. */
function findUnreadPrivacy(texts: readonly ContentText[], { privacyChecked }: Content): ContentProblem[] {
  if (privacyChecked !== 'never' || findExamples(texts).length > 0) return [];
  const promises = texts.find(
    ({ file, path, text }) => file === 'site.yaml' && path.startsWith('privacy.') && neverShared.test(text),
  );
  const promised = promises ? 'promises not to share what people write. ' : '';
  const message = `${promised}By sections 20 and 24 of the Family Violence Act 2018 you may share it to protect someone, and must consider it. Ask your lawyer to read the words at privacy, then put the day at privacyChecked`;
  return [{ file: 'site.yaml', line: promises?.line ?? null, message }];
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

function findMissingMeanings({ forms }: Content): ContentProblem[] {
  return formNames.flatMap((name) => {
    const means = meaningsOf(forms[name].definition).map((meaning) => meaning.means);
    const say = (message: string) => ({ file: `forms/${name}.yaml`, line: null, message });
    const urgent =
      'has no choice with means: urgent, so no request for help goes out first, and nobody is told whom to call now';
    const none =
      'has safe ways to be reached and no choice with means: none, so nobody can say that they must not be contacted';
    return [
      ...(formEntries[name].mayBeInDanger && !means.includes('urgent') ? [say(urgent)] : []),
      ...(means.some(isWay) && !means.includes('none') ? [say(none)] : []),
    ];
  });
}

/** A trust that takes the # away from `lines:` to add one line loses all of ours. */
function findMissingHelplines(texts: readonly ContentText[], { helplines }: Content): ContentProblem[] {
  const own = texts.find(({ file, path }) => file === 'helplines.yaml' && path.startsWith('lines.'));
  if (!own) return [];
  const say = (what: string) => [{ file: own.file, line: own.line, message: `lines: ${what}` }];
  const shown = helplines.lines.flatMap(namesOf);
  const gone = helplinesSchema
    .parse(defaults['helplines.yaml'])
    .lines.filter((line) => !namesOf(line).some((name) => shown.includes(name)));
  const names = gone.map(({ name }) => asText(name)).join(', ');
  return [
    ...(gone.length > 0
      ? say(`your own take the place of all of ours, and these are not shown: ${names}`)
      : []),
    ...(helplines.lines.some(({ always }) => always)
      ? []
      : say('none has always: true, so 111 is named alone to somebody who does not feel safe')),
  ];
}

/** A trust may name a line in its own words. */
const namesOf = ({ name, phone, text, url }: Helpline): string[] =>
  [asText(name), phone, text, url].flatMap((one) => one?.replaceAll(' ', '') ?? []);

function findMissingLogo(folder: string): ContentProblem[] {
  if (existsSync(join(folder, 'logo.svg'))) return [];
  return [
    { file: 'logo.svg', line: null, message: 'is missing: the bar and the browser’s tab show the example’s' },
  ];
}
