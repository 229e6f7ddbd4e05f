import { parseArgs } from 'node:util';
import { createPostAlert, writeAlert } from '../../server/delivery/alerts/post-alert.ts';
import { readSettings } from '../../server/settings/settings.ts';
import type { Command } from '../command.ts';
import { createProgress, print, printJson, styled, symbolOf } from '../terminal.ts';
import { probeAlert } from './alert-probe.ts';

const test = {
  reference: 'TEST',
  text: 'This is a test from the website. Nobody needs to do anything.',
};

export const testAlertCommand: Command = {
  summary: 'post a test to ALERT_URL, and show step by step whether it gets through and what to do if not',
  usage: `awhina test-alert [--json]

The test says that nobody needs to do anything. Otherwise it is what an urgent request makes: who gets alerts gets it, and a
phone that rings at night rings. Its address and its headers are never shown. Without ALERT_URL the command fails.`,

  async run(args) {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
    const { alert } = readSettings();
    if (!alert) {
      const todo = 'Set ALERT_URL, and run this again. docs/operating.md has examples.';
      if (values.json) printJson({ ok: false, steps: [] });
      else print(`${symbolOf(false)} No alert was sent: ALERT_URL is not set.\n    ${todo}`);
      return 1;
    }
    const progress = createProgress();
    progress.say('Asking the receiver in ALERT_URL …');
    const problem = await createPostAlert(alert)(test);
    progress.end();
    const ok = problem === null;
    const sent = writeAlert(test, alert.body).body;
    const steps = probeAlert(problem, alert);
    if (values.json) {
      printJson({ ok, sent, steps });
      return ok ? 0 : 1;
    }
    print(styled('bold', `The receiver in ALERT_URL, with ALERT_BODY=${alert.body}`));
    for (const step of steps) {
      print(`${symbolOf(step.ok)} ${step.line}`);
      if (step.todo) print(`    ${step.todo}`);
    }
    const headers = alert.headers.length > 0 ? ', with your ALERT_HEADERS' : '';
    print(
      ok
        ? `\nIt got this${headers}:\n  ${sent}\nNow check that it reached a person: did a phone show it?`
        : '\nNobody gets alerts from the website. Fix what is marked, and run this again. Mail to staff does not depend on it.',
    );
    return ok ? 0 : 1;
  },
};
