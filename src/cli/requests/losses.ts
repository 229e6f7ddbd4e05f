import { parseArgs } from 'node:util';
import { asSentence } from '../../model/sentence.ts';
import { describeLosses } from '../../server/erasure/losses.ts';
import { describeOldRule } from '../../server/erasure/retention.ts';
import { formatDay } from '../../server/time/nz-time.ts';
import type { Command } from '../command.ts';
import { print, printJson, remark } from '../terminal.ts';
import { withStore } from '../with-store.ts';

export const losses: Command = {
  summary: 'how many requests were erased that nobody had seen; --confirm, somebody knows of them',
  usage: `awhina losses [options]

  --confirm   you know of these: list --open, stats, /health/deliveries and the weekly letter no longer name them
  --json      for programs

  A request that nobody has seen is erased UNSEEN_RETENTION_DAYS after it came in. Only the number is left of it.`,

  async run(args) {
    const options = { confirm: { type: 'boolean' }, json: { type: 'boolean' } } as const;
    const { values } = parseArgs({ args, options });
    return withStore(async (store, settings) => {
      const found = await store.listLosses();
      if (values.confirm) await store.confirmLosses(found);
      if (values.json) printJson(found.map(({ day, form, count }) => ({ day, form, count })));
      else {
        print(asSentence(describeLosses(found) ?? 'no request is counted as erased unseen'));
        for (const { day, form, count } of found)
          print(`  ${count} of the ${form} form, erased on ${formatDay(day)} ${day.slice(0, 4)}`);
        const oldRule = describeOldRule(settings);
        if (oldRule) remark(`${oldRule} These requests are not counted.`);
        if (found.length > 0)
          remark(values.confirm ? 'This is confirmed.' : 'Once you know of it: ./awhina losses --confirm');
      }
      return 0;
    });
  },
};
