import { type ChosenWay, meaningsOf, type Understood, type Way } from '../../../model/choice-meanings.ts';
import { serverForms } from '../../../model/server-forms.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { findCallWays, writeCallCard } from './call-card.ts';
import { formatWays, limitCalls } from './call-limits.ts';
import { describeNoContact } from './change-words.ts';
import type { Banner, Line } from './letter.ts';
import { describeMissing, describeMistake, findTextAnswer } from './missing-answers.ts';
import { quote } from './printable.ts';
import { findReplyTo, isContactRefused, isPhoneWay, mayEmail, offersCalls } from './safe-contact.ts';
import { findSafeTimes } from './safe-times.ts';

/** Of a person who must not be contacted. Without a word of theirs: the page for staff shows it too. */
export const refused = {
  tone: 'stop',
  shout: 'DO NOT CONTACT THIS PERSON.',
  lines: ['Do not reply, write, call or text: somebody else may see it. They will contact us themselves.'],
} as const;

/** How staff may contact the person, in one banner: what to do, the number for it, and what not to do. */
export function describeContact(
  understood: Understood | null,
  submission: StoredSubmission,
  isOwnMail: boolean,
): Banner | null {
  const noContact = describeNoContact(submission);
  if (noContact) return { ...noContact, lines: [...noContact.lines] };
  if (isContactRefused(submission))
    return { ...refused, lines: [...refused.lines, ...quoteBoth(understood)] };
  if (submission.damaged !== undefined)
    return {
      tone: 'caution',
      shout: 'DO NOT CONTACT THIS PERSON YET.',
      lines: [
        'The stored answers are damaged. Nothing says whether, when and how it is safe to reach this person.',
        'Please show this to the person who runs the website. A backup may have the answers.',
      ],
    };
  if (!understood)
    return {
      tone: 'caution',
      shout: 'DO NOT REPLY TO THIS EMAIL.',
      lines: [
        'The answers are sealed. Open them first: they say whether, when and how it is safe to reach this person.',
      ],
    };
  const replies = isOwnMail ? [findReplyTo(submission) ? replyWorks : replyFails] : [];
  if (!understood.asked && serverForms[submission.form].mayReplyUnasked)
    return replies.includes(replyFails)
      ? describeNoReply(understood, submission)
      : describeUnasked(submission);
  return describeWays(understood, submission, replies);
}

const replyWorks = 'A reply to this email goes to them.';
const replyFails = 'A reply to this email does not reach them.';

/** For a message: a reply would go to the website's own mailbox, and staff would wait for an answer. */
function describeNoReply(understood: Understood, submission: StoredSubmission): Banner {
  const limits = limitCalls(['call'], submission);
  const instead =
    findCallWays(understood, submission).length === 0
      ? ['Please be ready for when they contact us.']
      : [
          ...(limits ? [{ limit: limits.shout }, ...limits.lines] : []),
          ...describeCard(['call'], submission),
          'You can call them:',
          { contactDetail: findTextAnswer('Phone', submission) },
        ];
  return {
    tone: 'caution',
    shout: replyFails,
    lines: [
      'They gave no email address that a reply could go to.',
      ...describeMistake('email', findTextAnswer('Email', submission)),
      ...instead,
      ...(mayEmail(submission) ? [{ bold: askWhatIsSafe.shout }, ...askWhatIsSafe.lines] : []),
    ],
  };
}

/** For a message: nobody asked what is safe, and somebody in danger may have written to the wrong form. */
function describeUnasked(submission: StoredSubmission): Banner | null {
  const limits = limitCalls(['call'], submission);
  if (!mayEmail(submission)) return limits && { tone: 'caution', ...limits };
  if (!limits) return askWhatIsSafe;
  const { shout, lines, tone } = askWhatIsSafe;
  return { tone, shout: limits.shout, lines: [...limits.lines, { bold: shout }, ...lines] };
}

const askWhatIsSafe: Banner = {
  tone: 'caution',
  shout: 'They were not asked if email is safe.',
  lines: [
    'Do they ask for help, or sound afraid? Then write one question only: “When and how is it safe to reach you?”',
  ],
};

function describeCard(ways: readonly Way[], submission: StoredSubmission): Line[] {
  const steps = writeCallCard(ways, findSafeTimes(submission).discreet.length > 0);
  return steps.length > 0 ? [{ steps }] : [];
}

function describeWays(
  understood: Understood,
  submission: StoredSubmission,
  replies: readonly string[],
): Banner {
  const { ways, uninterpreted } = understood;
  const usable = ways.filter(({ missing }) => !missing);
  const isReachable = usable.length > 0 || uninterpreted.length > 0;
  const isEmailChosen = ways.some(({ way }) => way === 'email');
  // A form of an earlier version, or of a trust that wrote no meanings: the chosen words may allow email.
  const isEmailKnown = meaningsOf(submission.definition).some(({ means }) => means === 'email');
  const onlyWords = uninterpreted.length > 0 && !isEmailChosen && !isEmailKnown;
  const reply = isEmailChosen ? replies : [{ bold: doNotEmail }, notSafe];
  const usableWays = usable.map(({ way }) => way);
  // A form that offers no calls may ask when its other ways are safe.
  const isLimited = (way: Way) => isPhoneWay(way) || !offersCalls(submission.definition);
  const limitedWays = ways.map(({ way }) => way).filter(isLimited);
  // Words without a meaning may ask for a call.
  const limits = limitCalls(uninterpreted.length > 0 ? ['call', ...limitedWays] : limitedWays, submission);
  const isLimitFirst = limits !== null && uninterpreted.length === 0 && usableWays.some(isLimited);
  const limitLines = limits && !isLimitFirst ? [{ limit: limits.shout }, ...limits.lines] : [];
  const callWays = findCallWays(understood, submission);
  const isLabelled = callWays.length > 0 || isLimitFirst || (uninterpreted.length > 0 && limits !== null);
  // What was written for a number may still be one to somebody who knows the place: the limits stand above it.
  const missing = [
    ...(uninterpreted.length > 0 ? [] : limitLines.map(inSmallLetters)),
    ...describeMissing(ways, submission, isReachable),
  ];
  const lines = [
    ...(isLimitFirst ? limits.lines : []),
    ...(uninterpreted.length > 0 ? limitLines : []),
    ...quoteWords(uninterpreted, onlyWords),
    ...describeCard(callWays, submission),
    ...(isReachable ? listAddresses(usable, submission, isLabelled, isLimitFirst ? ' this person' : '') : []),
    ...(isReachable ? [] : missing),
    ...(onlyWords ? [] : reply),
    ...quoteWays(usable, uninterpreted),
    ...(isReachable ? missing : []),
  ];
  const tone = isEmailChosen && usable.length > 0 && uninterpreted.length === 0 && !limits ? 'go' : 'caution';
  if (onlyWords) return { tone, shout: 'DO NOT REPLY BEFORE YOU HAVE READ THIS.', lines };
  if (uninterpreted.length > 0) return { tone, shout: 'READ THIS BEFORE YOU REACH THIS PERSON.', lines };
  if (isLimitFirst) return { tone, shout: limits.shout, lines };
  const [first] = lines;
  const end = typeof first === 'object' && 'contactDetail' in first ? ':' : '.';
  if (isReachable) return { tone, shout: `${formatWays(usableWays)} this person${end}`, lines };
  if (ways.length > 0) return { tone, shout: 'THERE IS NO SAFE WAY TO REACH THIS PERSON.', lines };
  return { tone, shout: doNotEmail, lines: [notSafe] };
}

/** Of a number that nobody can call, and that is small itself. */
const inSmallLetters = (line: Line): Line =>
  typeof line === 'object' && 'limit' in line ? { bold: line.limit } : line;

const doNotEmail = 'DO NOT EMAIL OR REPLY.';
const notSafe = 'They did not say that email is safe: somebody else may read it.';

/** Quoted word for word, because the form gives these choices no meaning. */
function quoteWords(uninterpreted: readonly string[], onlyWords: boolean): string[] {
  if (uninterpreted.length === 0) return [];
  return [
    `They chose: ${quote(uninterpreted)}. Do exactly as these words say${onlyWords ? ', and nothing else' : ''}.`,
  ];
}

/** Quoted word for word too: a choice may say more than its meaning, such as when to call. */
function quoteWays(usable: readonly ChosenWay[], uninterpreted: readonly string[]): string[] {
  if (usable.length === 0) return [];
  const chosen = quote(usable.map(({ choice }) => choice));
  return uninterpreted.length > 0
    ? [`They also chose ${chosen}.`]
    : [`They chose ${chosen}. Please use no other way.`];
}

/** Each number or address, labelled with the ways that use it unless the shout above it says the same. */
function listAddresses(
  usable: readonly ChosenWay[],
  submission: StoredSubmission,
  isLabelled: boolean,
  whom = '',
): Banner['lines'] {
  const groups = [...Map.groupBy(usable, ({ asks }) => asks)].flatMap(([key, sameKey]) => {
    const contactDetail = findTextAnswer(key, submission);
    return contactDetail === ''
      ? []
      : [
          {
            label: `${formatWays(sameKey.map(({ way }) => way))}${whom}:`,
            detail: { contactDetail, isForTexts: sameKey.every(({ way }) => way === 'text') },
          },
        ];
  });
  return groups.flatMap(({ label, detail }) =>
    groups.length > 1 || isLabelled ? [label, detail] : [detail],
  );
}

/** Both a refusal and a way were ticked: the letter goes by the safer one, and quotes the other. */
function quoteBoth(understood: Understood | null): string[] {
  const { ways, refusals, uninterpreted } = understood ?? { ways: [], refusals: [], uninterpreted: [] };
  const others = [...ways.map(({ choice }) => choice), ...uninterpreted];
  if (refusals.length === 0 || others.length === 0) return [];
  return [`They chose ${quote(refusals)}, and also ${quote(others)}. We go by the safer one.`];
}
