/**
 * `npm run bench`: every bound the project holds itself to. With `--budgets` only the bounds of every change; with `--only WORD`
 * the parts with that word in their title.
 */
import { parseArgs } from 'node:util';
import { measureHands } from './browser/hands.ts';
import { measureLighthouse } from './browser/lighthouse.ts';
import { measurePages } from './browser/page-budgets.ts';
import { measureGrowth } from './growth/growth.ts';
import { measureLanguagePages } from './language-budgets.ts';
import { measurePictures } from './pictures.ts';
import { type Finding, isWithinBounds, printFindings } from './report.ts';
import { measureThroughput } from './throughput/throughput.ts';

interface Part {
  title: string;
  /** Fast, and the same on a busy machine: a change that breaks one is not merged. */
  budget: boolean;
  measure: () => Promise<Finding[]>;
}

const parts: Part[] = [
  { title: 'Pages', budget: true, measure: measurePages },
  { title: 'Pages in other languages', budget: true, measure: measureLanguagePages },
  { title: 'Pictures', budget: true, measure: measurePictures },
  { title: 'Quick hands', budget: false, measure: measureHands },
  { title: 'Lighthouse, mobile', budget: false, measure: measureLighthouse },
  { title: 'Throughput, beside a bare server', budget: false, measure: measureThroughput },
  { title: 'Growth', budget: false, measure: measureGrowth },
];

const { values } = parseArgs({
  options: { budgets: { type: 'boolean' }, only: { type: 'string' } },
});
let passed = 0;
let failed = 0;
for (const { title, budget, measure } of parts) {
  if (values.budgets && !budget) continue;
  if (values.only && !title.toLowerCase().includes(values.only.toLowerCase())) continue;
  const findings = await measure();
  printFindings(title, findings);
  for (const finding of findings) isWithinBounds(finding) ? passed++ : failed++;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
