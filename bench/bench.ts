/**
 * `npm run bench`: every figure the project claims. With `--budgets` only what must hold on every change; with
 * `--only WORD` the parts whose title has that word. `--compare REV` measures nothing but this folder beside another commit.
 */
import { parseArgs } from 'node:util';
import { measureAttacks } from './attacks/attacks.ts';
import { measureBotCheck } from './browser/bot-check.ts';
import { measureFirstView } from './browser/first-view.ts';
import { measureLighthouse } from './browser/lighthouse.ts';
import { measurePages } from './browser/page-budgets.ts';
import { measureWeakLinks } from './browser/weak-links.ts';
import { measureCounting } from './counting.ts';
import { measureDeliveryDrag } from './delivery.ts';
import { measureReport } from './figures.ts';
import { measureGrowth } from './growth/growth.ts';
import { measureMemory } from './memory.ts';
import { measurePagesMeanwhile } from './pages-meanwhile.ts';
import { measurePictures } from './pictures.ts';
import { measureRecovery } from './recovery.ts';
import { type Finding, isKept, printFindings } from './report.ts';
import { measureSoak } from './soak/soak.ts';
import { compareWith } from './throughput/compare.ts';
import { measureThroughput } from './throughput/throughput.ts';

interface Part {
  title: string;
  /** Cheap enough, and steady enough on a busy machine, to stop a change. */
  budget: boolean;
  /** Too long for every run: it has to be asked for. */
  onlyByName?: boolean;
  measure: () => Promise<Finding[]>;
}

const parts: Part[] = [
  { title: 'Pages', budget: true, measure: measurePages },
  { title: 'Pictures', budget: true, measure: measurePictures },
  { title: 'Lighthouse, mobile', budget: false, measure: measureLighthouse },
  { title: 'First view, beside the same without scripts', budget: false, measure: measureFirstView },
  { title: 'Weak-links: a form where every byte is waited for', budget: false, measure: measureWeakLinks },
  { title: 'Throughput, beside a bare server', budget: false, measure: measureThroughput },
  { title: 'Pages while forms come in', budget: false, measure: measurePagesMeanwhile },
  { title: 'Counting, beside the same without', budget: false, measure: measureCounting },
  { title: 'Mail that hangs', budget: false, measure: measureDeliveryDrag },
  { title: 'PostgreSQL that goes and comes back', budget: false, measure: measureRecovery },
  { title: "The bot check's work, in the browser", budget: false, measure: measureBotCheck },
  { title: 'Under attack', budget: false, measure: measureAttacks },
  { title: 'Figures of three years, with 100,000 requests', budget: false, measure: measureReport },
  { title: 'Growth', budget: false, measure: measureGrowth },
  { title: 'Memory', budget: false, measure: measureMemory },
  { title: 'Soak: everything at once', budget: false, onlyByName: true, measure: measureSoak },
];

const { values } = parseArgs({
  options: { budgets: { type: 'boolean' }, only: { type: 'string' }, compare: { type: 'string' } },
});
if (values.compare !== undefined) {
  await compareWith(values.compare);
  process.exit();
}
let passed = 0;
let failed = 0;
for (const { title, budget, onlyByName, measure } of parts) {
  if (onlyByName && !values.only) continue;
  if (values.budgets && !budget) continue;
  if (values.only && !title.toLowerCase().includes(values.only.toLowerCase())) continue;
  const findings = await measure();
  printFindings(title, findings);
  for (const finding of findings) isKept(finding) ? passed++ : failed++;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
