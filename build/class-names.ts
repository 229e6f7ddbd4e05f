import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const styleFiles = globSync(join(import.meta.dirname, '../src/web/**/*.module.css')).toSorted();
const classes = styleFiles.flatMap((file) => {
  const names = readFileSync(file, 'utf8').matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi);
  return [...new Set([...names].map(([, name]) => `${file} ${name}`))];
});

/**
 * Names a class by a letter and a number, counted over all style files so that the server's and the browser's build agree.
 * Readable names compress badly, and each is sent three times: in the style sheet, in the page and in the script. The
 * number is needed because ad blockers hide elements with some two-letter class names.
 */
export function shortClassName(name: string, path: string): string {
  const file = path.replace(/\?.*/, '');
  const count = classes.indexOf(`${file} ${name}`);
  if (count < 0) throw new Error(`${file} has no ${name}`);
  return String.fromCharCode(97 + (count % 26)) + Math.floor(count / 26);
}

/** In development: the name as written, made unique by the number of its file. */
export const readableClassName = (name: string, file: string): string =>
  `${name}-${styleFiles.indexOf(file.replace(/\?.*/, '')).toString(36)}`;
