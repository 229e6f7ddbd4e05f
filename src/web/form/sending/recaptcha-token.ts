import { type BotCheckClient, botCheckAction } from '../../../model/bot-check-client.ts';

type Recaptcha = Extract<BotCheckClient, { kind: 'recaptcha' }>;

interface Grecaptcha {
  ready(callback: () => void): void;
  execute(siteKey: string, options: { action: string }): Promise<string>;
}

const timeoutMs = 15_000;

const rejectAfterTimeout = () =>
  new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('reCAPTCHA timed out')), timeoutMs);
  });

let loading: Promise<Grecaptcha> | null = null;

/** Loads Google's script once, and only when the visitor has begun to fill in a form. */
export function loadRecaptcha(client: Recaptcha): Promise<Grecaptcha> {
  loading ??= Promise.race([fetchScript(client), rejectAfterTimeout()]).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

function fetchScript({ url, siteKey }: Recaptcha): Promise<Grecaptcha> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${url}/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`;
    script.onerror = () => {
      script.remove();
      reject(new Error('reCAPTCHA not loaded'));
    };
    script.onload = () => {
      const { grecaptcha } = globalThis as unknown as { grecaptcha: Grecaptcha };
      grecaptcha.ready(() => resolve(grecaptcha));
    };
    document.head.append(script);
  });
}

export async function obtainRecaptchaToken(client: Recaptcha): Promise<string> {
  const grecaptcha = await loadRecaptcha(client);
  return Promise.race([grecaptcha.execute(client.siteKey, { action: botCheckAction }), rejectAfterTimeout()]);
}
