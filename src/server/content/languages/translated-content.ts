import type { Definition, FormName } from '../../../model/form-field.ts';
import type { Helplines } from '../../../model/helplines.ts';
import type { PageLanguage } from '../../../model/language.ts';
import type { OwnPage } from '../../../model/own-page.ts';
import type { Site } from '../../../model/site.ts';
import type { ProblemText } from '../../../model/validate.ts';
import type { ContentProblem } from '../read-yaml.ts';

/** A form in another language: what visitors read, and not what they post. */
export interface TranslatedForm {
  definition: Definition;
  problems: ProblemText;
}

/** What visitors read, in another language. Sentences that have no translation are marked as words of the original. */
export interface TranslatedContent {
  language: PageLanguage;
  site: Site;
  helplines: Helplines;
  forms: Record<FormName, TranslatedForm>;
  ownPages: OwnPage[];
  /** The descriptions of pictures, by those of the original. */
  pictureTexts: Readonly<Record<string, string>>;
}

/** A file in content/languages, and what is to be said of it. */
export interface LanguageFile {
  /** Relative to the content folder. */
  file: string;
  tag: string;
  /** The language's own name; the tag where the file does not say. */
  name: string;
  /** How many of the original's sentences have a translation, and how many a translation of earlier words. */
  translated: number;
  stale: number;
  missing: number;
  /** How many of the translations nobody has confirmed. Visitors do not see them. */
  unconfirmed: number;
  /** Who confirmed the translation. */
  checked: { by: string; on: string } | null;
  /** Why visitors are not offered the language. Empty where they are. */
  notOffered: string[];
  /** Visitors were offered the language, and are no longer. */
  isWithdrawn: boolean;
  problems: ContentProblem[];
  /** Null where the file cannot be used at all. */
  content: TranslatedContent | null;
}
