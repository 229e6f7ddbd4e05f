import { escapeHtml } from '../../model/escape-html.ts';

interface StandalonePage {
  title: string;
  /** The content policy. It must allow the style sheet. */
  policy: string;
  css: string;
  body: string;
}

/** A page for staff in one file, to be opened from a disk. */
export const standalonePage = ({ title, policy, css, body }: StandalonePage): string => `<!doctype html>
<html lang="en-NZ">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
${body}
</body>
</html>
`;
