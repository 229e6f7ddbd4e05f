import type { Settings } from '../settings/settings.ts';
import type { BotCheck } from './bot-check.ts';
import { createRecaptcha } from './recaptcha.ts';

/** reCAPTCHA where the settings have its keys, and otherwise our own. */
export function createBotCheck(
  { recaptcha, publicUrl }: Settings,
  altcha: BotCheck,
  onUnverified: (reason: string) => void,
): BotCheck {
  if (!recaptcha || !publicUrl) return altcha;
  return createRecaptcha({ ...recaptcha, hostname: new URL(publicUrl).hostname, onUnverified });
}
