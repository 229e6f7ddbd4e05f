import { useSite } from '../page-data-context.ts';
import { SectionLink } from './SectionLink.tsx';

export function SectionLinks({ className }: { className: string | undefined }) {
  const { sectionLinks, shell } = useSite();
  if (sectionLinks.length === 0) return null;
  return (
    <nav aria-label={shell.sectionList} className={className}>
      <ul>
        {sectionLinks.map((label) => (
          <li key={label}>
            <SectionLink label={label} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
