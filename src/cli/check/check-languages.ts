import { type Content, describeProblem } from '../../server/content/content.ts';
import { describeWithdrawn } from '../../server/content/languages/shown-languages.ts';
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

/** First of all: languages that visitors were offered and are no longer, with the reasons. */
export function describeWithdrawal(content: Content): string[] {
  const line = describeWithdrawn(content);
  const reasons = content.languages.flatMap(({ tag, isWithdrawn, notOffered }) =>
    isWithdrawn ? notOffered.map((why) => `  ${tag}: ${why}`) : [],
  );
  return line ? [line, ...reasons, ''].map(terminalSafe) : [];
}

/** One line for each language: whether visitors are offered it, or why not. */
export function describeLanguages({ site, languages }: Content): string[] {
  return languages.map(({ tag, name, notOffered, translated, stale, missing, unconfirmed }) => {
    const left = stale + missing;
    const rest = left > 0 ? `, with ${left} of ${translated + left} sentences in ${site.language.name}` : '';
    const unread =
      unconfirmed > 0
        ? `; ${unconfirmed} not shown until somebody has read them: awhina languages confirm ${tag} --by NAME`
        : '';
    const state =
      notOffered.length === 0 ? `offered${rest}${unread}` : `not offered: ${notOffered.join('; ')}`;
    return terminalSafe(`${name} (${tag}): ${state}`);
  });
}
