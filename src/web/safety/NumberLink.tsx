import { fill, type Phrase } from '../../model/phrase.ts';
import { usePageData } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import styles from './NumberLink.module.css';

const schemes = { call: 'tel:', text: 'sms:', chat: 'https://', url: 'https://' } as const;

interface NumberLinkProps {
  kind: keyof typeof schemes;
  /** A phone number or a web address. */
  number: string;
  /** The id of the element that names the owner, for screen readers that list links. */
  whose?: string;
  urgent?: boolean;
}

/** The label has the number itself, for visitors who call from another phone. */
export function NumberLink({ kind, number, whose, urgent = false }: NumberLinkProps) {
  const { helplines } = usePageData();
  const words: Partial<Record<typeof kind, Phrase>> = helplines;
  const rel = schemes[kind] === 'https://' ? 'noopener noreferrer' : undefined;
  return (
    <a
      href={schemes[kind] + number.replaceAll(' ', '')}
      rel={rel}
      aria-describedby={whose}
      className={`${styles.number} ${urgent ? styles.urgent : ''}`}
    >
      <Words phrase={fill(words[kind] ?? number, { number })} />
      {kind === 'chat' && (
        <small>
          <Words phrase={helplines.elsewhere} />
        </small>
      )}
    </a>
  );
}
