import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition, FormName } from '../../model/form-field.ts';
import type { Helplines } from '../../model/helplines.ts';
import type { OwnPage } from '../../model/own-page.ts';
import type { Site } from '../../model/site.ts';
import { type LibraryPicture, readLibrary } from '../photos/library.ts';
import { helplinesSchema } from './helplines.ts';
import { readOwnPages } from './own-pages.ts';
import { type ContentProblem, readYaml } from './read-yaml.ts';
import { definitionSchema, siteSchema } from './schema.ts';

export interface Form {
  name: FormName;
  definition: Definition;
  /** Names this wording of the form, so that old answers stay readable after it changes. */
  hash: string;
}

/** Everything content/ says, read and checked as a whole. */
export interface Content {
  site: Site;
  helplines: Helplines;
  forms: Record<FormName, Form>;
  /** The built-in library: the trust's own pictures. */
  pictures: LibraryPicture[];
  ownPages: OwnPage[];
}

export class BadContent extends Error {
  override name = 'BadContent';
  readonly problems: ContentProblem[];
  constructor(problems: ContentProblem[]) {
    super(`The content is not right:\n${problems.map((one) => `  ${describeProblem(one)}`).join('\n')}`);
    this.problems = problems;
  }
}

export function describeProblem({ file, line, message }: ContentProblem): string {
  return `${file}${line ? `:${line}` : ''}  ${message}`;
}

const noFolder = 'is not there: set CONTENT_DIR to the folder that has site.yaml in it';

/** @throws {BadContent} with every problem in every file. */
export async function readContent(folder: string): Promise<Content> {
  if (!existsSync(folder)) throw new BadContent([{ file: folder, line: null, message: noFolder }]);
  const read = <T>(file: string, schema: Parameters<typeof readYaml<T>>[2]) =>
    readYaml(join(folder, file), file, schema);
  const [site, helplines, help, contact, pictures, ownPages] = await Promise.all([
    read('site.yaml', siteSchema),
    read('helplines.yaml', helplinesSchema),
    read('forms/help.yaml', definitionSchema),
    read('forms/contact.yaml', definitionSchema),
    readLibrary(folder),
    readOwnPages(folder),
  ]);
  if (site.ok && helplines.ok && help.ok && contact.ok && pictures.ok && ownPages.ok) {
    return {
      site: site.value,
      helplines: helplines.value,
      forms: { help: asForm('help', help.value), contact: asForm('contact', contact.value) },
      pictures: pictures.value,
      ownPages: ownPages.value,
    };
  }
  throw new BadContent(
    [site, helplines, help, contact, pictures, ownPages].flatMap((result) =>
      result.ok ? [] : result.problems,
    ),
  );
}

function asForm(name: FormName, definition: Definition): Form {
  return { name, definition, hash: createHash('sha256').update(JSON.stringify(definition)).digest('hex') };
}
