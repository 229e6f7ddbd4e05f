const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text, and for attributes in quotes of either kind. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** The reverse of {@link escapeHtml}. */
export const unescapeHtml = (text: string): string =>
  text.replace(
    /&#?\w+;/g,
    (entity) => Object.keys(entities).find((one) => entities[one] === entity) ?? entity,
  );
