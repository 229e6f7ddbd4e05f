import { expect, onTestFinished } from 'vitest';
import type { MailProbe, MailStep } from '../../src/server/delivery/mail-transport.ts';
import type { SmtpOptions } from '../../src/server/delivery/smtp/smtp-session.ts';
import { smtpTo } from './delivery.ts';
import { startScriptedSmtp } from './scripted-smtp.ts';

export const staff = ['help@trust.example', 'contact@trust.example'];
export const password = 'correct-horse';
export async function startSmtpToProbe(options: Parameters<typeof startScriptedSmtp>[0] = {}) {
  const smtp = await startScriptedSmtp(options);
  onTestFinished(() => smtp.close());
  const encrypted = options.starttls || options.tls;
  const probe = async (more: Partial<SmtpOptions> = {}, to = staff): Promise<MailProbe> => {
    const host = encrypted ? 'localhost' : '127.0.0.1';
    const url = `${options.tls ? 'smtps' : 'smtp'}://user:${password}@${host}:${smtp.port}`;
    const isLocal = () => !encrypted;
    const found = await smtpTo(smtp.port, { url, isLocal, ...more }).probe(to);
    // Whatever comes of it, no mail and no password.
    expect(smtp.heard.filter((line) => /^DATA/i.test(line))).toEqual([]);
    expect(JSON.stringify(found)).not.toContain(password);
    return found;
  };
  return { smtp, probe };
}

export const allSteps: MailStep['step'][] = [
  'name',
  'connection',
  'tls',
  'sign-in',
  'sender',
  'recipient',
  'recipient',
];
export const stepsOf = ({ steps }: MailProbe) => steps.map(({ step, ok }) => `${step}${ok ? '' : ' failed'}`);
/** Every step before this one succeeded, and none was tried after it. */
export const upTo = (step: MailStep['step']) => [
  ...allSteps.slice(0, allSteps.indexOf(step)),
  `${step} failed`,
];
