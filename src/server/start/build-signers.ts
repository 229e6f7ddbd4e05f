import { createAltcha } from '../bot-check/altcha.ts';
import { createRecaptcha } from '../bot-check/recaptcha.ts';
import { loadOrCreateSecret, storeSecret } from '../bot-check/stored-secret.ts';
import type { Log } from '../log/log.ts';
import { createNoScriptPosts } from '../no-script-forms/no-script-posts.ts';
import { createCanaryMarks } from '../self-checks/canary-mark.ts';
import type { Settings } from '../settings/settings.ts';
import { createStaffKeys } from '../staff/staff-key.ts';
import type { SharedStore } from '../store/contract/store.ts';
import { explainDataDir, withExplanation } from './start-problems.ts';

/** Everything that signs with the site's secret: the bot check, the forms without a script, the canary, the pages for staff. */
export async function buildSigners(settings: Settings, now: () => Date, log: Log) {
  const { dataDir, botCheckSecret } = settings;
  const secret = await withExplanation(explainDataDir, () => botCheckSecret ?? loadOrCreateSecret(dataDir));
  const altcha = createAltcha(secret);
  const noScriptPosts = createNoScriptPosts(secret, now);
  const canaryMarks = createCanaryMarks(secret, now);
  const staffKeys = createStaffKeys(secret);
  const onUnverified = (reason: string) => log.warn({ event: 'bot check unreachable', reason });
  const { recaptcha, publicUrl } = settings;
  const botCheck =
    recaptcha && publicUrl
      ? createRecaptcha({ ...recaptcha, hostname: new URL(publicUrl).hostname, onUnverified })
      : altcha;

  /** Servers that share a database sign with one secret: the first that was stored there. */
  async function shareSecret(database: SharedStore): Promise<void> {
    if (botCheckSecret) return;
    const shared = await database.shareSecret('bot check', secret);
    await storeSecret(dataDir, shared);
    for (const part of [altcha, noScriptPosts, canaryMarks, staffKeys]) part.setSecret(shared);
  }

  return { botCheck, noScriptPosts, canaryMarks, staffKeys, shareSecret };
}
