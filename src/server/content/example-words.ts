import { asText } from '../../model/phrase.ts';

/**
 * The shipped content is the site of a trust that does not exist. On a public site a person in danger would write to an
 * address that nobody reads.
 */
const examples = [
  /Kōwhai Family Support Centre/iu,
  /12 Example Street/iu,
  /0800 000 000/u,
  // A reserved domain (RFC 2606).
  /(?<![\w.+-])[\w.+-]+@[\w.-]+\.example\b/iu,
  /https?:\/\/[\w.-]+\.example\b/iu,
];

/** The first words of a text that are the example trust's. */
export function findExample(text: string): string | undefined {
  const plain = asText(text);
  return examples.map((example) => example.exec(plain)?.[0]).find(Boolean);
}
