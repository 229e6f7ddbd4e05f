import { readFile } from 'node:fs/promises';
import { inlineStyles } from '../../server/delivery/letter/letter-html.ts';
import { hashSource } from '../../server/pages/content-policy.ts';
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
  return `<!doctype html>
<html lang="en-NZ">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>Open sealed requests</title>
<style>${css}</style>
</head>
<body>
${html}<script>${code}</script>
</body>
</html>
`;
}

async function readScript(): Promise<string> {
  const code = await readFile(script, 'utf8').catch((cause) => {
    throw new CommandFailed('The reader is not built yet. Run npm run build first.', { cause });
  });
  // A string in the script must not end the script element.
  return code.replaceAll('</script', '<\\/script');
}
