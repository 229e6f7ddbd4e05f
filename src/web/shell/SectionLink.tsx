import { scrollToSection, sectionId } from './sections.ts';

/** Scrolls to the part of the page that the label names. A plain anchor where scripts do not run. */
export function SectionLink({ label }: { label: string }) {
  return (
    <a
      href={`#${encodeURIComponent(sectionId(label))}`}
      onClick={(event) => {
        event.preventDefault();
        scrollToSection(label);
      }}
    >
      {label}
    </a>
  );
}
