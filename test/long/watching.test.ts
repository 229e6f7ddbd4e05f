import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { sampleEntries } from '../support/forms.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken } from '../support/tokens.ts';
import { isReceipt, send } from '../support/visitor.ts';

/** What deploy/ has for those who watch the site with Prometheus and Grafana. */

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}
const rulesPath = 'deploy/prometheus-alerts.yml';
const rules: Rule[] = parse(readFileSync(rulesPath, 'utf8')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);
const dashboard = JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8'));
const queries: string[] = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
  panel.targets.map(({ expr }) => expr),
);

/** Every series that a query names, with what it asks of its labels. */
function seriesIn(query: string): { name: string; labels: [string, string, string][] }[] {
  return [...query.matchAll(/\b((?:awhina|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)(!=|=~|=)"([^"]*)"/g)]
        .map(([, label = '', sign = '', value = '']): [string, string, string] => [label, sign, value])
        .filter(([label]) => label !== 'job'),
    }),
  );
}

test('every series that the alerts and the dashboard name is one that the server has', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder() });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  expect(isReceipt(await send(server.url, 'help', sampleEntries.help, await mintToken()))).toBe(true);
  await expect.poll(() => server.lines.join('\n')).toContain('"event":"mail accepted"');
  const answer = await fetch(`${server.url}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await answer.text()).split('\n');
  expect(lines).toContain('awhina_submissions_stored_total{form="help"} 1');
  expect(lines).toContain('awhina_deliveries_accepted_total{form="help"} 1');

  const has = (name: string, label: string, value: string) =>
    lines.some((line) => line.startsWith(`${name}{`) && line.includes(`${label}="${value}"`));
  const named = [...rules.map(({ expr }) => expr), ...queries].flatMap(seriesIn);
  expect(named.length).toBeGreaterThan(30);
  for (const { name, labels } of named) {
    expect(
      lines.some((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `)),
      name,
    ).toBe(true);
    for (const [label, , values] of labels)
      for (const value of values.split('|')) expect(has(name, label, value), `${name} ${label}`).toBe(true);
  }
  expect(await server.end()).toBe(0);
});

test('every alert says how bad it is, what it means and what to do, and no two have one name', () => {
  for (const { labels, annotations } of rules) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(20);
    expect(annotations.description).toMatch(/\.$/);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

const noTool = spawnSync('promtool', ['--version']).status !== 0;

test.skipIf(noTool)('promtool, where it is installed, has nothing to say against the alerts', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', rulesPath], {
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
});
