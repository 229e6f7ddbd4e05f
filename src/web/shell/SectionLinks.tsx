import { asText } from '../../model/phrase.ts';
import { useSite } from '../page-data-context.ts';
import { Words } from './Words.tsx';

/** In px, from the spec: the height of the top bar. */
const offset = 64;

export function SectionLinks({ className }: { className: string | undefined }) {
  const { sectionLinks, shell } = useSite();
  if (sectionLinks.length === 0) return null;
  return (
    <nav aria-label={asText(shell.sectionList)} className={className}>
      <ul>
        {sectionLinks.map(({ id, label }) => (
          <li key={id}>
            {/* A fragment link without a script, smooth scrolling with one. */}
            <a
              href={`#${encodeURIComponent(id)}`}
              onClick={(event) => {
                event.preventDefault();
                scrollToSection(id);
              }}
            >
              <Words phrase={label} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Moves the focus too, or the next Tab would go back up. */
function scrollToSection(id: string): void {
  const section = document.getElementById(id);
  if (!section) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const top = section.getBoundingClientRect().top + scrollY - offset;
  scrollTo({ top, behavior: still ? 'auto' : 'smooth' });
  section.setAttribute('tabindex', '-1');
  section.focus({ preventScroll: true });
}
