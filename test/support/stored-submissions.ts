import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Answers } from '../../src/model/answers.ts';
import { toEntries } from '../../src/model/answers.ts';
import type { BotVerdict } from '../../src/model/bot-verdict.ts';
import type { FormName } from '../../src/model/form-field.ts';
import type { Store } from '../../src/server/store/contract/store.ts';
import type { NewSubmission } from '../../src/server/store/contract/submission.ts';
import type { Seal } from '../../src/server/submissions/seal.ts';
import { shippedContent } from './forms.ts';

export const addresses = {
  from: 'website@trust.example',
  to: { help: ['help@trust.example'], contact: ['contact@trust.example'] },
};

/** A clock that stands still until it is told to move. */
export function createClock(start = '2026-03-01T00:00:00Z') {
  let at = Date.parse(start);
  return {
    now: () => new Date(at),
    advance(ms: number) {
      at += ms;
    },
  };
}

export const answered: Record<FormName, Answers> = {
  help: {
    FirstName: 'Hōne',
    LastName: '',
    Email: 'hone@visitor.example',
    Phone: '021 000 000',
    SafeContact: ['Email'],
    SupportNeeded: ['Housing', 'Counselling'],
    ForSomeoneElse: false,
    Subject: 'A place to stay',
    Message: 'We need somewhere warm.\nKia ora.',
  },
  contact: {
    FirstName: 'Mere',
    LastName: '',
    Email: 'mere@visitor.example',
    Phone: '',
    Subject: 'Opening hours',
    Message: 'When are you open?',
  },
};

export interface SubmissionChanges
  extends Pick<
    NewSubmission,
    'receivedAt' | 'heldUntil' | 'urgent' | 'rank' | 'canary' | 'alert' | 'remindAt'
  > {
  form?: FormName;
  answers?: Answers;
  verdict?: BotVerdict;
  seal?: Seal;
  language?: string;
}

/** Stores a submission as the server would, and returns its reference. */
export async function storeSubmission(
  store: Pick<Store, 'add'>,
  {
    form = 'help',
    answers = {},
    verdict = { kind: 'clean' },
    rank = 1,
    seal,
    language,
    ...rest
  }: SubmissionChanges,
): Promise<string> {
  const entries = toEntries(shippedContent.forms[form].definition, { ...answered[form], ...answers });
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const added = await store.add({
    ...{ form: shippedContent.forms[form], verdict, rank, ...rest },
    answers: seal ? await seal(entries) : entries,
    tokenHash: hash(randomUUID()),
    answersHash: hash(JSON.stringify(entries)),
    language: seal ? null : (language ?? null),
    countedLanguage: language ?? null,
  });
  if (!added.added) throw new Error('The token was spent');
  return added.receipt.reference;
}

/** A submission unlike any other, for tests of the store itself. */
export const anySubmission = (changes: Partial<NewSubmission> = {}): NewSubmission => ({
  form: shippedContent.forms.contact,
  answers: [{ key: 'Message', value: 'Sample' }],
  verdict: { kind: 'clean' },
  tokenHash: randomBytes(32).toString('hex'),
  answersHash: randomBytes(32).toString('hex'),
  receivedAt: new Date(),
  ...changes,
});
