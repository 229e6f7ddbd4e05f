import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventsBySubject } from './log-events.ts';

const rows = (events: Readonly<Record<string, string>>) =>
  Object.entries(events).map(([event, meaning]) => `| \`${event}\` | ${meaning} |`);

const page = `# What the log says

The log is JSON, one line an event, on standard output. The start also prints a few lines in words there.
The log never has a name, an address or an answer. \`reference\` names the request (of \`photo not fetched\`, the photo).
\`repeated\` says how often the same warning or error came again within a minute.
The mail of the daily canary has the events of the mail of a request, with \`canary: \` before them.
${Object.entries(eventsBySubject)
  .map(
    ([subject, events]) => `
## ${subject}

| event | what it means |
|---|---|
${rows(events).join('\n')}
`,
  )
  .join('')}`;

test('the document lists every event of the log: -u writes it', async () => {
  await expect(page).toMatchFileSnapshot('../../../docs/log-events.md');
});

test('every event of the list is written somewhere, and no other', () => {
  const sources = globSync('src/server/**/*.ts', { exclude: ['**/*.test.ts', '**/log-events.ts'] })
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  /** Some are composed: `${kind} mail sent`. */
  const isWritten = (event: string) =>
    sources.includes(`'${event}'`) || sources.includes(`} ${event.replace(/^(urgent |weekly )?\w+ /, '')}\``);
  const events = Object.values(eventsBySubject).flatMap((group) => Object.keys(group));
  expect(events.filter((event) => !isWritten(event))).toEqual([]);
  const written = [...sources.matchAll(/event: '([^']+)'(?! \|)/g)].map(([, event]) => event);
  expect(written.length).toBeGreaterThan(60);
  expect(written.filter((event) => !events.includes(`${event}`))).toEqual([]);
});
