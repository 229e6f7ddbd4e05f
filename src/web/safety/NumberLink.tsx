import { fill, type Phrase } from '../../model/phrase.ts';
import { usePageData } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import styles from './NumberLink.module.css';

const schemes = { call: 'tel:', text: 'sms:', url: 'https://' } as const;

interface NumberLinkProps {
  kind: keyof typeof schemes;
  /** Or a web address. */
  number: string;
  /** The id of what names whose number it is, for whoever goes from link to link. */
  whose?: string;
  urgent?: boolean;
}

/** One touch on a phone. The number itself is in the words, for whoever reads it here and rings from elsewhere. */
export function NumberLink({ kind, number, whose, urgent = false }: NumberLinkProps) {
  const words: Partial<Record<typeof kind, Phrase>> = usePageData().helplines;
  return (
    <a
      href={schemes[kind] + number.replaceAll(' ', '')}
      aria-describedby={whose}
      className={`${styles.number} ${urgent ? styles.urgent : ''}`}
    >
      <Words phrase={fill(words[kind] ?? number, { number })} />
    </a>
  );
}
