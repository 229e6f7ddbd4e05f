import type { HTMLAttributes } from 'react';

interface InputHints {
  autoComplete: string;
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  autoCapitalize?: 'none' | 'words';
  spellCheck?: boolean;
}

/** What a phone can help with, by the keys everybody uses (WCAG 1.3.5). */
const hints: Record<string, InputHints> = {
  FirstName: { autoComplete: 'given-name', autoCapitalize: 'words', spellCheck: false },
  LastName: { autoComplete: 'family-name', autoCapitalize: 'words', spellCheck: false },
  Email: { autoComplete: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  Phone: { autoComplete: 'tel', inputMode: 'tel', spellCheck: false },
};

/** Anything else is not kept by the browser, where the next person at a shared phone would be offered it. */
export function inputHints(key: string): InputHints {
  return hints[key] ?? { autoComplete: 'off' };
}
