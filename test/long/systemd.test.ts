import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { forms } from '../../src/model/forms.ts';
import { submitMutations, withoutLanguage } from '../../src/model/operations.ts';
import { documentedVersions, shellBlocks } from '../support/documents.ts';
import { sampleEntries } from '../support/forms.ts';
import { buildCommit, commitBefore, download, installRelease, packRelease } from '../support/release.ts';
import { bootMachine, findObstacle, type Machine } from '../support/systemd-machine.ts';
import { mintToken, testSecret } from '../support/tokens.ts';

/** docs/installing.md and docs/upgrading.md under a systemd that runs: the unit with all its bounds, and data in it. */

const obstacle = findObstacle();
if (obstacle) process.stdout.write(`Left out, the documents under a real systemd: ${obstacle}.\n`);

const site = 'http://127.0.0.1:3000';

/** @throws with the log, where the site starts over and over. */
async function waitUntilReady({ type }: Machine): Promise<void> {
  for (;;) {
    if (type(`curl -s -o /dev/null -w '%{http_code}' ${site}/health/ready || true`) === '200') return;
    if (Number(type('systemctl show --value -p NRestarts awhina')) > 2)
      throw new Error(`The site does not start:\n${type('journalctl -u awhina -n 40 --no-pager -o cat')}`);
    await setTimeout(200);
  }
}

async function ask({ type }: Machine): Promise<string> {
  const variables = { fields: sampleEntries.help, recaptchaToken: await mintToken() };
  const body = JSON.stringify({ query: withoutLanguage(submitMutations.help), variables });
  const answer = type(`curl -s -H 'content-type: application/json' --data-binary @- ${site}/graphql`, body);
  const reference = JSON.parse(answer).data?.[forms.help.operations.submit]?.reference;
  if (!reference) throw new Error(`Not taken: ${answer}`);
  return reference;
}

test.skipIf(obstacle !== null)(
  // Fetching Debian took seven minutes the first time, on a busy machine.
  'the version before is installed under systemd, upgraded with its requests, and gone back to',
  { timeout: 1_800_000 },
  async () => {
    const old = buildCommit(commitBefore);
    onTestFinished(old.remove);
    // A release contains only files that git tracks, with the time of the commit.
    const commit = 'git -c user.name=Sample -c user.email=sample@trust.example commit -q -m Sample';
    execFileSync('sh', ['-euc', `git init -q && git add -A && ${commit}`], {
      cwd: old.folder,
      stdio: 'pipe',
    });
    const { now, before } = documentedVersions();
    const releases = { [before]: packRelease(old.folder), [now]: packRelease() };
    // So that npm has every package in its cache, where there is no network.
    for (const release of Object.values(releases)) installRelease(release);

    const machine = await bootMachine();
    const { root, type } = machine;
    for (const [version, release] of Object.entries(releases)) download(release, join(root, 'root'), version);
    const references: string[] = [];
    const visit = async (version: string) => {
      await waitUntilReady(machine);
      expect(type('awhina --version')).toContain(`awhina ${version}`);
      references.push(await ask(machine), await ask(machine));
      const listed = type('cd / && runuser -u awhina -- awhina list');
      expect(references.filter((reference) => !listed.includes(reference))).toEqual([]);
    };

    // By the document of today, with the version of then.
    type(shellBlocks('docs/installing.md').join('\n').replaceAll(now, before));
    appendFileSync(join(root, 'etc/awhina/awhina.env'), `BOT_CHECK_SECRET=${testSecret}\n`);
    type('systemctl restart awhina');
    await visit(before);

    const [upgrade = '', goBack = ''] = shellBlocks('docs/upgrading.md');
    type(upgrade);
    await visit(now);
    // The web server's user reads it, also while the site is away and after it.
    type('systemctl stop awhina');
    expect(type('runuser -u caddy -- cat /var/cache/awhina/away.html')).toContain('href="tel:111"');
    expect(readFileSync(join(root, 'etc/caddy/Caddyfile'), 'utf8')).toContain('reverse_proxy');
    type('systemctl start awhina');
    await visit(now);

    type(goBack);
    await visit(before);
    expect(new Set(references).size).toBe(8);
  },
);
