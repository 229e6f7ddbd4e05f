/** `npm run bench`: every figure the project claims. With `--budgets` only what must hold on every change. */
import { parseArgs } from 'node:util';
import { type Finding, isKept, printFindings } from './report.ts';
import { measureMemory, measureThroughput } from './throughput.ts';

interface Part {
  title: string;
  /** Cheap enough, and steady enough on a busy machine, to stop a change. */
  budget: boolean;
  measure: () => Promise<Finding[]>;
}

const parts: Part[] = [
  { title: 'Throughput, beside a bare server', budget: false, measure: measureThroughput },
  { title: 'Memory', budget: false, measure: measureMemory },
];

const { values } = parseArgs({ options: { budgets: { type: 'boolean', default: false } } });
let passed = 0;
let failed = 0;
for (const { title, budget, measure } of parts) {
  if (values.budgets && !budget) continue;
  const findings = await measure();
  printFindings(title, findings);
  for (const finding of findings) isKept(finding) ? passed++ : failed++;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
