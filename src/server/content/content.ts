import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Definition, FormName } from '../../model/form-field.ts';
import { formNames } from '../../model/form-field.ts';
import type { Helplines } from '../../model/helplines.ts';
import type { OwnPage } from '../../model/own-page.ts';
import type { Site } from '../../model/site.ts';
import type { ProblemText } from '../../model/validate.ts';
import type { LibraryPicture } from '../photos/library.ts';
import { type ContentFile, defaults } from './defaults.ts';
import { definitionSchema } from './form-schema.ts';
import { readLanguages } from './languages/read-languages.ts';
import type { Sentence } from './languages/sentences.ts';
import type { LanguageFile } from './languages/translated-content.ts';
import { readOwnPages } from './own-pages.ts';
import { helplinesSchema } from './read-helplines.ts';
import { readPictures } from './read-pictures.ts';
import { type ContentProblem, readYaml } from './read-yaml.ts';
import { siteSchema } from './site-schema.ts';
import type { Theme } from './theme.ts';

export interface Form {
  name: FormName;
  definition: Definition;
  /** Identifies the definition: the store has each one once, so that old answers stay readable after it changes. */
  hash: string;
  /** The messages for answers that are not right. */
  problems: ProblemText;
  /** The keys of the questions whose choices are counted. */
  counted: readonly string[];
  /** Whether the choices are counted also where answers are sealed. */
  countSealed: boolean;
}

/** The trust's content over the product's defaults, read and checked as a whole. */
export interface Content {
  /** The folder that the content was read from. */
  folder: string;
  site: Site;
  theme?: Theme | undefined;
  /** When a lawyer last read the words about privacy: a day, or 'never'. */
  privacyChecked: string;
  /** After how many working days without an answer staff are reminded. */
  remindAfter: Record<FormName, number>;
  helplines: Helplines;
  forms: Record<FormName, Form>;
  /** The trust's own pictures, or the product's where it has none. */
  pictures: LibraryPicture[];
  /** By file, the names of the defaults that the trust has not replaced. */
  defaultsUsed: { file: ContentFile; names: string[] }[];
  /** Lines in the files that no longer have an effect. */
  retired: ContentProblem[];
  ownPages: OwnPage[];
  /** All that visitors read, for translators. */
  sentences: Sentence[];
  /** In the order of their tags. */
  languages: LanguageFile[];
  /** What is wrong with the folder of languages as a whole. Problems of a file are with the file. */
  languageProblems: ContentProblem[];
}

export class BadContent extends Error {
  override name = 'BadContent';
  readonly problems: ContentProblem[];
  constructor(problems: ContentProblem[]) {
    super(`The content is not right:\n${problems.map((one) => `  ${describeProblem(one)}`).join('\n')}`);
    this.problems = problems;
  }
}

export function describeProblem({ file, line, message }: ContentProblem, gap = '  '): string {
  return `${file}${line ? `:${line}` : ''}${gap}${message}`;
}

const noFolder = 'is not there: set it to the folder that has site.yaml in it';

/** @throws {BadContent} with every problem in every file. */
export async function readContent(folder: string, formSchema = definitionSchema): Promise<Content> {
  if (!existsSync(folder)) throw new BadContent([{ file: 'CONTENT_DIR', line: null, message: noFolder }]);
  const read = async <T>(file: ContentFile, schema: z.ZodType<T>) => {
    const result = await readYaml(join(folder, file), file, {
      schema,
      defaults: defaults[file],
      optional: file !== 'site.yaml',
    });
    return { file, ...result };
  };
  const readForm = async (name: FormName) => ({ name, ...(await read(`forms/${name}.yaml`, formSchema)) });
  const [site, helplines, pictures, ownPages, ...written] = await Promise.all([
    read('site.yaml', siteSchema),
    read('helplines.yaml', helplinesSchema),
    readPictures(folder),
    readOwnPages(folder),
    ...formNames.map(readForm),
  ]);
  if (site.ok && helplines.ok && pictures.ok && ownPages.ok && written.every((one) => one.ok)) {
    const files = [site, helplines, ...written];
    const { countSealed, ...words } = site.value;
    const shared = { problems: problemText(words.site), countSealed };
    const forms = Object.fromEntries(
      written.map(({ name, value }) => [name, asForm(name, { ...value, ...shared })]),
    ) as Record<FormName, Form>;
    const { pages, sources } = ownPages.value;
    const original = {
      tag: words.site.language.tag,
      site: site.merged,
      helplines: helplines.merged,
      forms,
      ownPages: sources,
      pictures: pictures.value,
    };
    return {
      folder,
      ...words,
      helplines: helplines.value,
      forms,
      pictures: pictures.value,
      defaultsUsed: files.flatMap(({ file, defaultsUsed: names }) =>
        names.length > 0 ? { file, names } : [],
      ),
      retired: files.flatMap(({ retired }) => retired),
      ownPages: pages,
      ...(await readLanguages(folder, original, pages)),
    };
  }
  throw new BadContent(
    [site, helplines, ...written, pictures, ownPages].flatMap((result) => (result.ok ? [] : result.problems)),
  );
}

const problemText = ({ form: { required, tooLong } }: Site): ProblemText => ({ required, tooLong });

function asForm(name: FormName, form: Omit<Form, 'name' | 'hash'>): Form {
  const hash = createHash('sha256').update(JSON.stringify(form.definition)).digest('hex');
  return { ...form, name, hash };
}
