import type { BotCheck } from './bot-check/bot-check.ts';
import { createRecaptcha } from './bot-check/recaptcha.ts';
import type { Settings } from './settings.ts';

/** Our own, unless the trust has the keys of the other. */
export function chooseBotCheck(
  { recaptcha, publicUrl }: Settings,
  altcha: BotCheck,
  onUnverified: (reason: string) => void,
): BotCheck {
  if (!recaptcha || !publicUrl) return altcha;
  return createRecaptcha({ ...recaptcha, hostname: new URL(publicUrl).hostname, onUnverified });
}
