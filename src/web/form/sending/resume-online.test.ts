import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Definition } from '../../../model/form-field.ts';
import { type FormState, reduceForm, startForm } from '../page/form-state.ts';
import { resumeOnline } from './resume-online.ts';

const definition: Definition = [
  { key: 'Subject', type: 'text', displayName: 'Subject', description: '', required: true },
];
let network: EventTarget;
const goOnline = async () => {
  network.dispatchEvent(new Event('online'));
  await new Promise(setImmediate);
};

beforeEach(() => {
  network = new EventTarget();
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network));
});
afterEach(() => void vi.unstubAllGlobals());

/** A form that could not be sent, and how often it was sent again. */
function failed() {
  let state: FormState = startForm(definition);
  const form = {
    get: () => state,
    dispatch: (action: Parameters<typeof reduceForm>[1]) => {
      state = reduceForm(state, action);
    },
    follow: () => () => {},
  };
  form.dispatch({ type: 'answered', key: 'Subject', value: 'A quiet word' });
  const { answers } = state as Extract<FormState, { status: 'editing' }>;
  const send = vi.fn<() => void>(() => form.dispatch({ type: 'sending' }));
  const resume = () => void resumeOnline(form, answers, send);
  resume();
  return { ...form, send, resume };
}

test('a failed form is sent once when the browser is back online, however many events say so', async () => {
  const { send, resume } = failed();
  // It was pressed by hand once more meanwhile, and failed again.
  resume();
  expect(send).not.toHaveBeenCalled();
  await goOnline();
  await goOnline();
  expect(send).toHaveBeenCalledTimes(1);
});

test.each([
  ['changed', [{ type: 'answered', key: 'Subject', value: 'Another word' }]],
  [
    'changed and changed back',
    [
      { type: 'answered', key: 'Subject', value: '' },
      { type: 'answered', key: 'Subject', value: 'A quiet word' },
    ],
  ],
  ['forgotten', [{ type: 'restarted', definition: [] }]],
  ['pressed by hand at that moment', [{ type: 'sending' }]],
  ['asked anew by the trust', [{ type: 'redefined', definition: definition.slice(1) }]],
] as const)('what was %s is not sent by itself', async (_what, actions) => {
  const { dispatch, send } = failed();
  for (const action of actions) dispatch(action);
  await goOnline();
  expect(send).not.toHaveBeenCalled();
});

test('what was only shown in another language, or only focused, is still sent', async () => {
  const { dispatch, send } = failed();
  dispatch({ type: 'redefined', definition: [...definition] });
  dispatch({ type: 'touched', key: 'Subject' });
  await goOnline();
  expect(send).toHaveBeenCalledTimes(1);
});
