import { hidableKeys, isWay, type Meanings, meaningsOf } from '../../model/choice-meanings.ts';
import { type Definition, formNames } from '../../model/form-field.ts';
import { forms as formEntries } from '../../model/forms.ts';
import type { Helpline } from '../../model/helplines.ts';
import { asText } from '../../model/phrase.ts';
import type { Content } from './content.ts';
import { defaults } from './defaults.ts';
import type { ContentProblem } from './read-yaml.ts';

/**
 * What later versions ask or show in another way. A list of the trust's own takes the place of ours as a whole, so nothing
 * of it reaches a trust by itself. Each finding says what the trust may want to take over from the defaults.
 */
const findings: readonly ((definition: Definition, meanings: Meanings) => string | false)[] = [
  ([first], meanings) => {
    const urgent = meanings.find(({ means }) => means === 'urgent');
    if (!urgent || first?.type !== 'checkbox') return Boolean(urgent) && askUrgentFirst;
    return first.choices[0] !== urgent.choice && askUrgentFirst;
  },
  (definition) =>
    definition.some(({ required }) => !required) &&
    !definition.some(({ shown }) => shown === 'more') &&
    'nothing is folded: shown: more puts a question that may be left empty into “Tell us more (optional)”',
  (definition, meanings) =>
    meanings.some(({ means }) => isWay(means)) &&
    !definition.some(({ shown }) => shown === 'asked') &&
    'number and email are always asked for: shown: asked shows each once a way of contact needs it',
  (definition, meanings) => {
    const of = (key: string, what: string) => meanings.some((one) => one.key === key && one.means === what);
    const both = hidableKeys(definition, meanings).find((key) => of(key, 'time') && of(key, 'no-message'));
    return (
      both !== undefined &&
      `${both} asks two things in one question: when it is safe, and what to do if someone else answers (ours: CallTimes and IfSomeoneAnswers)`
    );
  },
];

const askUrgentFirst =
  'the choice that means urgent does not come first: with us it is the first choice of the first question';

export function findOlderForms({ forms }: Content): ContentProblem[] {
  return formNames.flatMap((name) => {
    if (!formEntries[name].mayBeInDanger) return [];
    const { definition } = forms[name];
    return findings
      .map((find) => find(definition, meaningsOf(definition)))
      .filter((note) => note !== false)
      .map((note) => ({ file: `forms/${name}.yaml`, line: null, message: offer(note) }));
  });
}

/** A helpline of ours that the trust has too, under its number, and that can be written to since. */
export function findOlderHelplines({ helplines }: Content): ContentProblem[] {
  const ours = (defaults['helplines.yaml'] as { lines: WithChat[] }).lines;
  const names = helplines.lines.flatMap((line: WithChat) => {
    const same = ours.find(({ phone, chat }) => chat && phone && phone === line.phone);
    return same && !line.chat ? asText(line.name) : [];
  });
  if (names.length === 0) return [];
  const message = `lines: people who cannot speak can write to ${names.join(', ')}: copy its chat`;
  return [{ file: 'helplines.yaml', line: null, message: offer(message) }];
}

type WithChat = Helpline & { chat?: string | undefined };

const offer = (note: string) => `${note}. To take it over, see src/server/content/defaults/`;
