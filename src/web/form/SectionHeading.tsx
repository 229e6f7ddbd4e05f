import type { FormField } from '../../model/form-field.ts';
import type { Phrase } from '../../model/phrase.ts';
import type { FormText } from '../../model/site.ts';
import { useSite } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import styles from './SectionHeading.module.css';

const headingAbove: Record<string, (text: FormText) => Phrase> = {
  FirstName: (text) => text.contactHeading,
  Subject: (text) => text.messageHeading,
};

/** The two keys that open a part of the form. */
export function SectionHeading({ field }: { field: FormField }) {
  const { form } = useSite();
  const heading = field.type === 'text' ? headingAbove[field.key]?.(form) : undefined;
  return heading ? (
    <h2 className={styles.heading}>
      <Words phrase={heading} />
    </h2>
  ) : null;
}
