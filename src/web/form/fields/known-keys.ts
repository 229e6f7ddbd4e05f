import type { HTMLAttributes } from 'react';

interface InputHints {
  autoComplete: string;
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  autoCapitalize?: 'none' | 'words';
  spellCheck?: boolean;
}

/** What a browser can fill in and which keyboard a phone shows, by conventional keys (WCAG 1.3.5). */
const known: Record<string, InputHints> = {
  FirstName: { autoComplete: 'given-name', autoCapitalize: 'words', spellCheck: false },
  LastName: { autoComplete: 'family-name', autoCapitalize: 'words', spellCheck: false },
  Email: { autoComplete: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  Phone: { autoComplete: 'tel', inputMode: 'tel', spellCheck: false },
};

/**
 * `autocomplete` names a field's purpose while the field is empty, so that the browser offers values. Once the field has a
 * value, `autocomplete` is `off`: on submit, Chromium stores the value of every other field, and offers it to the next
 * person at this phone, on other sites too. The server renders `off`, because without a script nothing could change it.
 */
export function inputHints(key: string, mayFill: boolean): InputHints {
  const hints = known[key] ?? { autoComplete: 'off' };
  return mayFill ? hints : { ...hints, autoComplete: 'off' };
}
