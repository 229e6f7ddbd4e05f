/** Initials or a first name: enough for colleagues, and no more. */
export const maxNameLength = 20;

const pattern = /^[\p{L}\p{M}\p{N} .'’-]*\p{L}[\p{L}\p{M}\p{N} .'’-]*$/u;

/** Letters and marks that show nothing, and marks piled up until they cover the lines above. */
const unreadable = /\p{Default_Ignorable_Code_Point}|[\p{Mn}\p{Me}]{3}/u;

/** How a member of staff signs what they did, or null where that is no name. */
export function readStaffName(text: string): string | null {
  const name = text.normalize('NFC').trim().replace(/\s+/g, ' ');
  const isName = [...name].length <= maxNameLength && pattern.test(name) && !unreadable.test(name);
  return isName ? name : null;
}
