/** Initials or a first name: enough for colleagues, and no more. */
export const maxNameLength = 20;

const pattern = /^[\p{L}\p{M}\p{N} .'’-]*\p{L}[\p{L}\p{M}\p{N} .'’-]*$/u;

/** How a member of staff signs what they did, or null where that is no name. */
export function readStaffName(text: string): string | null {
  const name = text.normalize('NFC').trim().replace(/\s+/g, ' ');
  return [...name].length <= maxNameLength && pattern.test(name) ? name : null;
}
