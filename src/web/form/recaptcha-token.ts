import { type BotCheckClient, botCheckAction } from '../../model/bot-check.ts';

type Recaptcha = Extract<BotCheckClient, { kind: 'recaptcha' }>;

interface Grecaptcha {
  ready(callback: () => void): void;
  execute(siteKey: string, options: { action: string }): Promise<string>;
}

const boundMs = 15_000;

let loading: Promise<Grecaptcha> | null = null;

/** Google's script, once, and only on a form someone has begun to fill in. */
export function loadRecaptcha({ url, siteKey }: Recaptcha): Promise<Grecaptcha> {
  loading ??= new Promise<Grecaptcha>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${url}/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`;
    script.onerror = () => {
      script.remove();
      reject(new Error('reCAPTCHA could not be loaded'));
    };
    script.onload = () => {
      const { grecaptcha } = globalThis as unknown as { grecaptcha: Grecaptcha };
      grecaptcha.ready(() => resolve(grecaptcha));
    };
    setTimeout(() => reject(new Error('reCAPTCHA took too long')), boundMs);
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

export async function obtainRecaptchaToken(client: Recaptcha): Promise<string> {
  const grecaptcha = await loadRecaptcha(client);
  return grecaptcha.execute(client.siteKey, { action: botCheckAction });
}
