/**
 * What people type, made fit to be read in a mail: one kind of line break, control characters as the symbols Unicode has
 * for them (␛ for an escape), half of a surrogate pair as the replacement character. Everything else is unchanged.
 */
export function printable(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
      .replace(/[\0-\x08\x0b-\x1f]/g, (char) => String.fromCharCode(0x2400 + char.charCodeAt(0)))
      .replace(/[\x7f-\x9f\u2028\u2029]/g, '\u2421')
      .toWellFormed()
  );
}

/** A line break in a choice, a name or a sealed file must not begin a line of ours. */
export const onOneLine = (text: string): string => printable(text).replace(/\s+/g, ' ');

/** What somebody chose, in their words. */
export const quote = (choices: readonly string[]): string =>
  choices.map((choice) => `“${onOneLine(choice)}”`).join(' and ');

const codeOf = (char: string) => char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

/** For a terminal, where characters that change the direction of writing could disguise the text. */
export function terminalSafe(text: string): string {
  return printable(text).replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (char) => `<U+${codeOf(char)}>`,
  );
}

/** JSON without characters that a terminal acts on. JSON.stringify escapes only up to U+001F. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (char) => `\\u${codeOf(char)}`,
  );
}
