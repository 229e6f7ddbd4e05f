import type { FormField } from '../../../model/form-field.ts';
import type { Phrase } from '../../../model/phrase.ts';
import type { PageSite } from '../../../model/site.ts';
import { useSite } from '../../page-data-context.ts';
import { Words } from '../../shell/Words.tsx';
import styles from './SectionHeading.module.css';

/** Two keys begin a section of the form. */
function findHeading({ key, type }: FormField, text: PageSite['form']): Phrase | null {
  if (key === 'FirstName' && type === 'text') return text.contactHeading;
  return key === 'Subject' ? text.messageHeading : null;
}

export function SectionHeading({ field }: { field: FormField }) {
  const { form } = useSite();
  const heading = findHeading(field, form);
  return heading ? (
    <h2 tabIndex={-1} className={styles.heading}>
      <Words phrase={heading} />
    </h2>
  ) : null;
}
