import { usePageData } from '../../page-data-context.ts';
import { Words } from '../../shell/Words.tsx';
import styles from './Form.module.css';

/** On a translated page: in which language the trust answers. */
export function AnswerNote() {
  const { site, language } = usePageData();
  if (!language.prefix) return null;
  return (
    <p className={styles.read}>
      <Words phrase={site.form.answerNote} />
    </p>
  );
}
