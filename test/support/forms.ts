import type { Entry } from '../../src/model/answers.ts';
import type { FormName } from '../../src/model/form-field.ts';
import type { Content } from '../../src/server/content/content.ts';
import { readContent } from '../../src/server/content/content.ts';
import type { ContentSource } from '../../src/server/content/content-source.ts';

/** Answers nobody could mistake for a real person's, for the forms as they ship. */
export const sampleEntries: Record<FormName, Entry[]> = {
  help: [
    { key: 'FirstName', value: 'Sample' },
    { key: 'SafeContact', value: ['Email'] },
    { key: 'SupportNeeded', value: ['Housing', 'Counselling'] },
    { key: 'ForSomeoneElse', value: true },
    { key: 'Subject', value: 'A sample request' },
    { key: 'Message', value: 'Kia ora, this is a sample.' },
  ],
  contact: [
    { key: 'FirstName', value: 'Sample' },
    { key: 'Email', value: 'sample@visitor.example' },
    { key: 'Subject', value: 'A sample message' },
    { key: 'Message', value: 'Kia ora, this is a sample.' },
  ],
};

export function withAnswer(
  entries: readonly Entry[],
  key: string,
  value: unknown,
): { key: string; value: unknown }[] {
  return [...entries.filter((entry) => entry.key !== key), { key, value }];
}

/** The content that ships. */
export const shippedContent: Content = await readContent('content');

/** The content that ships, held still. */
export function stillContent(content: Content = shippedContent): ContentSource {
  return { current: () => content, fault: () => null, onChange: () => () => {}, close: () => {} };
}
