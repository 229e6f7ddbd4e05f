import type { Entry } from '../../../model/answers.ts';
import type { BotVerdict, Doubt } from '../../../model/bot-verdict.ts';
import type { Understood } from '../../../model/choice-meanings.ts';
import type { FormField } from '../../../model/form-field.ts';
import { mapValues } from '../../../model/map-values.ts';
import { describeAnswer, serverBehaviourOf } from '../../../model/server-field-types.ts';
import { serverForms } from '../../../model/server-forms.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { formatNzTime } from '../../time/nz-time.ts';
import { describeWithdrawn, listChanges } from './change-words.ts';
import { describeContact } from './contact-banner.ts';
import { formatLanguage } from './format-language.ts';
import type { Banner, Letter } from './letter.ts';
import { onOneLine, printable, quote } from './printable.ts';
import { findHiddenKeys, findUnsafeKeys, isContactRefused, understandSubmission } from './safe-contact.ts';

/** What staff call a submission of each form. */
export const nouns = mapValues(serverForms, ({ noun }) => noun);

/** A letter that has every part, if only an empty one. */
export type WholeLetter = Letter & Required<Pick<Letter, 'banners' | 'facts' | 'answers' | 'notes'>>;

/**
 * What staff read about a submission, in a mail and on a terminal. `isOwnMail`: the mail holds no other submission, so
 * that a reply goes to this person or to nobody.
 */
export function writeLetter(submission: StoredSubmission, formTitle: string, isOwnMail = false): WholeLetter {
  const { form, reference, receivedAt, verdict, language } = submission;
  const understood = understandSubmission(submission);
  const proxyTick = findProxyTick(submission);
  const contact = [describeContact(understood, submission, isOwnMail) ?? []].flat();
  return {
    title: `New ${nouns[form]} from the ${formTitle} form`,
    banners: [
      ...describeUrgency(submission, understood),
      // Before every other banner that makes staff contact somebody.
      ...contact.filter(({ tone }) => tone === 'stop'),
      ...[describeWithdrawn(submission) ?? []].flat(),
      ...(proxyTick ? [describeSomeoneElse(proxyTick)] : []),
      ...contact.filter(({ tone }) => tone !== 'stop'),
    ],
    facts: [
      ...(language ? [['Written on the page in', formatLanguage(language)] as [string, string]] : []),
      ['Reference', reference],
      ['Received', `${formatNzTime(receivedAt)} (New Zealand time)`],
      ...listChanges(submission),
    ],
    ...listAll(submission, understood),
    notes: [...(proxyTick ? [tellTheOther] : []), ...describeVerdict(verdict), ...describeSeal(submission)],
  };
}

const mayBeCalled = ({ asked, ways, uninterpreted }: Understood) =>
  !asked || uninterpreted.length > 0 || ways.some(({ way }) => way === 'call');

/** The question with the choices that make a request urgent comes first: what kind of help they need. Then the message. */
const rankOf = (field: FormField) => {
  if (field.type === 'checkbox' && field.meanings?.some(({ means }) => means === 'urgent')) return 0;
  return isMessage(field) ? 1 : 2;
};

// A sealed file may come from a newer version, with a type that is not known here.
const asksForMessage = (field: FormField) => serverBehaviourOf(field)?.isMessage === true;
const isMessage = (field: FormField) => asksForMessage(field) || field.key === 'Subject';

/** Characters of damaged answers: more than a form holds. */
const mostDamaged = 20_000;

function listAll(submission: StoredSubmission, understood: Understood | null) {
  const { answers, damaged } = submission;
  if (damaged !== undefined)
    return {
      answers: [
        { question: 'What is stored', answer: printable(damaged.slice(0, mostDamaged)), unlinked: true },
      ],
    };
  return Array.isArray(answers) ? listAnswers(submission, answers, understood) : { answers: [] };
}

function listAnswers(
  submission: StoredSubmission,
  answers: readonly Entry[],
  understood: Understood | null,
): Pick<WholeLetter, 'answers' | 'unanswered'> {
  const unsafe = findUnsafeKeys(understood, submission);
  const warning = warningFor(understood);
  // Of a number in their message too, and of one for texts alone: a tap on either calls it.
  const isCallWrong = isContactRefused(submission) || (understood !== null && !mayBeCalled(understood));
  const emailKeys = understood?.ways.flatMap(({ way, asks }) => (way === 'email' && asks) || []) ?? [];
  const all = submission.definition.map((field) => {
    const value = answers.find(({ key }) => key === field.key)?.value;
    const answer = describeAnswer(field, value);
    return { field, value, answer: answer && printable(answer) };
  });
  const given = all
    .toSorted((a, b) => rankOf(a.field) - rankOf(b.field))
    .flatMap(({ field, answer }) => {
      if (answer === null) return [];
      // The page asks for a message with its description too.
      const question = printable(asksForMessage(field) ? field.description : field.displayName);
      const isFreeText = serverBehaviourOf(field)?.counted === null;
      return [
        {
          question,
          answer,
          ...(unsafe.has(field.key) ? { warning } : {}),
          unlinked: unsafe.has(field.key) || (isCallWrong && !emailKeys.includes(field.key)),
          ...(submission.language && isFreeText ? { lang: submission.language } : {}),
        },
      ];
    });
  const hidden = findHiddenKeys(understood, submission.definition);
  const withoutAnswer = all.filter(({ answer, field }) => answer === null && !hidden.includes(field.key));
  const { ticks = [], others = [] } = Object.groupBy(withoutAnswer, ({ value }) =>
    value === false ? 'ticks' : 'others',
  );
  const list = (what: string, fields: typeof all) =>
    fields.length > 0
      ? [`${what}: ${fields.map(({ field }) => onOneLine(field.displayName)).join(', ')}.`]
      : [];
  const unanswered = [...list('Not answered', others), ...list('Not ticked', ticks)].join(' ');
  return { answers: given, unanswered };
}

function warningFor(understood: Understood | null): string {
  const { refusals, uninterpreted } = understood ?? { refusals: [], uninterpreted: [] };
  if (refusals.length > 0) return 'DO NOT USE';
  return uninterpreted.length > 0
    ? 'DO NOT USE unless their words above allow it'
    : 'DO NOT USE: not chosen as safe';
}

function describeUrgency({ delivery }: StoredSubmission, understood: Understood | null): Banner[] {
  if (!delivery.urgent) return [];
  const why = understood
    ? `They chose ${quote(understood.urgent)}.`
    : 'They chose what your form calls urgent.';
  return [{ tone: 'urgent', shout: 'URGENT', lines: [`${why} Please read this one first.`] }];
}

/** The tick with which somebody says that they ask for another person. */
const findProxyTick = ({ answers, definition }: StoredSubmission): FormField | undefined =>
  definition.find(
    (field) =>
      field.type === 'boolean' &&
      field.means === 'forSomeoneElse' &&
      Array.isArray(answers) &&
      answers.some(({ key, value }) => key === field.key && value === true),
  );

const describeSomeoneElse = (tick: FormField): Banner => ({
  tone: 'someoneElse',
  shout: 'ASKING FOR SOMEONE ELSE',
  lines: [
    `They ticked ${quote([tick.displayName])}. “This person” is the one who wrote, not the one who needs help.`,
  ],
});

/** Below the answers, not in the box: it must not stand before how to contact the person who wrote. */
const tellTheOther =
  'They asked for someone else. By law (Privacy Act, principle 3A) you must tell the one who needs help that we hold this, and why. There are exceptions: for instance, if telling them could put somebody in danger.';

function describeVerdict(verdict: BotVerdict): string[] {
  switch (verdict.kind) {
    case 'clean':
      return [];
    case 'low-score':
      return [
        `The bot check was not sure that a person sent this. It gave ${verdict.score}, where 0 is a program and 1 is a person. Please treat it as real until you know better.`,
      ];
    case 'unverified':
      return [
        'When this was sent, the bot check could not be reached. So it may come from a person or a program. Please treat it as real until you know better.',
      ];
    case 'many':
      return [
        'Many more forms than usual came from the same internet address just before this one. That can be a program. It can also be many people on one connection, as in a refuge or a library. Please treat it as real until you know better.',
      ];
    case 'no-script':
      return [
        [
          'This was sent without a script, so there was no bot check: an old phone, a weak signal, or a program.',
          // Another version may have stored a doubt that is not known here.
          ...verdict.doubts.flatMap((doubt) => doubts[doubt] ?? []),
          'Please treat it as real until you know better.',
        ].join(' '),
      ];
    default:
      verdict satisfies never;
      // A sealed file may come from a newer version, with a verdict that is not known here.
      return [];
  }
}

const doubts: Record<Doubt, string> = {
  trap: 'A field that people do not see was filled in. Programs do that, and sometimes a browser that fills in forms.',
  old: 'The page it was sent from is more than a day old.',
  undated: 'The page it was sent from does not say when it was opened.',
  many: 'Many more than usual were sent that way just before it.',
};

function describeSeal({ answers, reference }: StoredSubmission): string[] {
  if (Array.isArray(answers)) return [];
  return [
    `The answers are in the attached file, sealed. The person who has the private key opens it on their own computer, with the page reader.html. ./awhina open --make-reader reader.html writes that page. Any age program opens it too: age --decrypt --identity FILE ${reference}.age`,
  ];
}
