import type { HTMLAttributes } from 'react';

interface InputHints {
  autoComplete: string;
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  autoCapitalize?: 'none' | 'words';
  spellCheck?: boolean;
}

/** What a phone can help with, by the keys everybody uses (WCAG 1.3.5). */
const known: Record<string, InputHints> = {
  FirstName: { autoComplete: 'given-name', autoCapitalize: 'words', spellCheck: false },
  LastName: { autoComplete: 'family-name', autoCapitalize: 'words', spellCheck: false },
  Email: { autoComplete: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  Phone: { autoComplete: 'tel', inputMode: 'tel', spellCheck: false },
};

/**
 * `autocomplete` names a field's purpose while the field is empty, so that the browser can offer what it knows. With a
 * value it says `off`: at Send, Chromium stores every value whose field does not, and offers it to the next person at
 * this phone, on other sites too. `off` is also what the server sends: without a script nothing could change it later.
 */
export function inputHints(key: string, mayFill: boolean): InputHints {
  const hints = known[key] ?? { autoComplete: 'off' };
  return mayFill ? hints : { ...hints, autoComplete: 'off' };
}
