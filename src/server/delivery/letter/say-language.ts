import { printable } from './printable.ts';

/** A language for staff, by its English name and its tag: 'Samoan (sm)'. */
export function sayLanguage(tag: string): string {
  // Intl throws where a tag has a private part, as en-NZ-x-easy has.
  const [publicPart = '', privatePart] = tag.split('-x-');
  try {
    const name = new Intl.DisplayNames('en-NZ', { type: 'language' }).of(publicPart) ?? publicPart;
    const words = privatePart ? `${name}, ${privatePart.replaceAll('-', ' ')}` : name;
    return words === tag ? tag : `${words} (${tag})`;
  } catch {
    // A sealed file may say anything.
    return printable(tag);
  }
}
