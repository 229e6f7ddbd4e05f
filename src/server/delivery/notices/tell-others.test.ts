import { expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../../test/support/delivery.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { startScriptedSmtp } from '../../../../test/support/scripted-smtp.ts';
import { addresses } from '../../../../test/support/stored-submissions.ts';
import { StoreUnavailable } from '../../store/contract/errors.ts';
import type { Letter } from '../letter/letter.ts';
import { createTellOthers } from './tell-others.ts';

const letter: Letter = { title: 'HK7W-3RQX waits', banners: [], facts: [], answers: [], notes: [] };

test('an alert of which the database cannot say whether it is still true does not hold up the next one', async () => {
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  const alerts: string[] = [];
  let problem: string | null = 'HTTP 500';
  const { tellOthers, retryAlerts } = createTellOthers({
    ...{ transport: smtpTo(smtp.port), site: () => shippedContent.site, addresses, log: collectLog().log },
    ...{ hasMailServer: true, escalateTo: ['manager@elsewhere.example'], now: () => new Date() },
    async post({ text }) {
      if (problem === null) alerts.push(text);
      return problem;
    },
  });
  let isAway = true;
  const sayAgain = async () => {
    if (isAway) throw new StoreUnavailable('away');
    return 'Nobody has seen 1 request';
  };
  const mailbox = { forms: [], to: ['help@trust.example'] };
  await tellOthers(mailbox, { name: 'unseen', letter, sentence: 'Nobody has seen 2 requests', sayAgain });
  await tellOthers(mailbox, { name: 'refused', letter, sentence: 'The mail server refuses' });
  problem = null;
  await retryAlerts();
  expect(alerts).toEqual(['The mail server refuses']);
  isAway = false;
  await retryAlerts();
  expect(alerts).toEqual(['The mail server refuses', 'Nobody has seen 1 request']);
});
