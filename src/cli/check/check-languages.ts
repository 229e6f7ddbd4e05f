import { type Content, describeProblem } from '../../server/content/content.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';

/** Of each file: a file that was damaged as a whole would fill the terminal. */
const mostMistakes = 20;

/** Mistakes in translations, each with its file and line. They do not stop the site, which shows other words there. */
export function findTranslationMistakes({ languages, languageProblems }: Content): string[] {
  return [
    ...languageProblems.map((problem) => describeProblem(problem)),
    ...languages.flatMap(({ tag, problems }) => {
      const more = problems.length - mostMistakes;
      return [
        ...problems.slice(0, mostMistakes).map((problem) => describeProblem(problem)),
        ...(more > 0 ? [`and ${more} more in ${tag}: awhina languages --json has them all`] : []),
      ];
    }),
  ].map(terminalSafe);
}

/** One line for each language: whether visitors are offered it, or why not. */
export function describeLanguages({ site, languages }: Content): string[] {
  return languages.map(({ tag, name, notOffered, translated, stale, missing }) => {
    const left = stale + missing;
    const rest = left > 0 ? `, with ${left} of ${translated + left} sentences in ${site.language.name}` : '';
    const state = notOffered.length === 0 ? `offered${rest}` : `not offered: ${notOffered.join('; ')}`;
    return terminalSafe(`${name} (${tag}): ${state}`);
  });
}
