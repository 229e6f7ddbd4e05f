const meanings: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => meanings[char] ?? char);
