import { readFile } from 'node:fs/promises';
import { inlineStyles } from '../../server/delivery/letter/letter-html.ts';
import { hashSource } from '../../server/pages/content-policy.ts';
import { standalonePage } from '../../server/pages/standalone-page.ts';
import { CommandFailed } from '../command.ts';

const script = new URL('../../../dist/reader/entry-reader.js', import.meta.url);
const sheet = new URL('../../reader/reader.css', import.meta.url);
const markup = new URL('../../reader/reader.html', import.meta.url);

/** The page that opens sealed mail: one file with everything in it, which may fetch nothing and send nothing. */
export async function makeReader(): Promise<string> {
  const [code, css, html] = await Promise.all([
    readScript(),
    readFile(sheet, 'utf8'),
    readFile(markup, 'utf8'),
  ]);
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(code)}`,
    `style-src 'unsafe-hashes' ${[css, ...inlineStyles].map(hashSource).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const body = `${html}<script>${code}</script>`;
  return standalonePage({ title: 'Open sealed requests', policy, css, body });
}

async function readScript(): Promise<string> {
  const code = await readFile(script, 'utf8').catch((cause) => {
    throw new CommandFailed('The reader is not built yet. Run npm run build first.', { cause });
  });
  // A string in the script must not end the script element.
  return code.replaceAll('</script', '<\\/script');
}
