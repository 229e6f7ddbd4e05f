/**
 * `npm run bench`: every figure the project claims. With `--budgets` only what must hold on every change; with
 * `--only WORD` the parts whose title has that word.
 */
import { parseArgs } from 'node:util';
import { measureAttacks } from './attacks.ts';
import { measureBotCheck } from './bot-check.ts';
import { measureCounting } from './counting.ts';
import { measureDeliveryDrag } from './delivery.ts';
import { measureReport } from './figures.ts';
import { measureLighthouse } from './lighthouse.ts';
import { measurePages } from './page-budgets.ts';
import { measurePagesMeanwhile } from './pages-meanwhile.ts';
import { measurePictures } from './pictures.ts';
import { measureRecovery } from './recovery.ts';
import { type Finding, isKept, printFindings } from './report.ts';
import { measureMemory, measureThroughput } from './throughput.ts';
import { measureWeakLinks } from './weak-links.ts';

interface Part {
  title: string;
  /** Cheap enough, and steady enough on a busy machine, to stop a change. */
  budget: boolean;
  measure: () => Promise<Finding[]>;
}

const parts: Part[] = [
  { title: 'Pages', budget: true, measure: measurePages },
  { title: 'Pictures', budget: true, measure: measurePictures },
  { title: 'Lighthouse, mobile', budget: false, measure: measureLighthouse },
  { title: 'Weak-links: a form where every byte is waited for', budget: false, measure: measureWeakLinks },
  { title: 'Throughput, beside a bare server', budget: false, measure: measureThroughput },
  { title: 'Pages while forms come in', budget: false, measure: measurePagesMeanwhile },
  { title: 'Counting, beside the same without', budget: false, measure: measureCounting },
  { title: 'Mail that hangs', budget: false, measure: measureDeliveryDrag },
  { title: 'PostgreSQL that goes and comes back', budget: false, measure: measureRecovery },
  { title: "The bot check's work, in the browser", budget: false, measure: measureBotCheck },
  { title: 'Under attack', budget: false, measure: measureAttacks },
  { title: 'Figures of three years, with 100,000 requests', budget: false, measure: measureReport },
  { title: 'Memory', budget: false, measure: measureMemory },
];

const { values } = parseArgs({ options: { budgets: { type: 'boolean' }, only: { type: 'string' } } });
let passed = 0;
let failed = 0;
for (const { title, budget, measure } of parts) {
  if (values.budgets && !budget) continue;
  if (values.only && !title.toLowerCase().includes(values.only.toLowerCase())) continue;
  const findings = await measure();
  printFindings(title, findings);
  for (const finding of findings) isKept(finding) ? passed++ : failed++;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
