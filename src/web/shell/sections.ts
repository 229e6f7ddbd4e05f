/** In px, from the spec: the height of the top bar. */
const offset = 64;

export const sectionId = (label: string): string => label.toLowerCase();

/** Moves the focus too, or the next Tab would go back up. */
export function scrollToSection(label: string): void {
  const section = document.getElementById(sectionId(label));
  if (!section) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const top = section.getBoundingClientRect().top + scrollY - offset;
  scrollTo({ top, behavior: still ? 'auto' : 'smooth' });
  section.setAttribute('tabindex', '-1');
  section.focus({ preventScroll: true });
}
