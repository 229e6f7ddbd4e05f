import { scrollToSection, sectionId } from './sections.ts';

/** A fragment link without a script, smooth scrolling with one. */
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
