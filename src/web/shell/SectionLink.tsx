import { scrollToSection, sectionId } from './sections.ts';

/** Scrolls to the part of the page that the label names. A plain anchor where scripts do not run. */
export function SectionLink({ label, onChoose }: { label: string; onChoose?: () => void }) {
  return (
    <a
      href={`#${encodeURIComponent(sectionId(label))}`}
      onClick={(event) => {
        event.preventDefault();
        onChoose?.();
        scrollToSection(label);
      }}
    >
      {label}
    </a>
  );
}
