import { createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import type { startScriptedSmtp } from '../../../../test/support/scripted-smtp.ts';
import { allSteps, startSmtpToProbe, stepsOf, upTo } from '../../../../test/support/smtp-probe.ts';
import {
  endedCertificate,
  signedCertificate,
  testCertificate,
} from '../../../../test/support/test-certificate.ts';
import type { SmtpOptions } from './smtp-session.ts';

test('SMTP_CA is trusted in addition to the known authorities', async () => {
  const known = getCACertificates('default');
  setDefaultCACertificates([testCertificate.cert]);
  onTestFinished(() => setDefaultCACertificates(known));
  const { probe } = await startSmtpToProbe({ starttls: true });
  expect((await probe({ ca: [signedCertificate.authority] })).problem).toBeNull();
});

test.each([{ starttls: true }, { tls: true }])(
  'a server that takes mail is well at every step, %o',
  async (options) => {
    const { smtp, probe } = await startSmtpToProbe(options);
    const found = await probe({ ca: testCertificate.cert });
    expect(stepsOf(found)).toEqual(allSteps);
    expect(found.problem).toBeNull();
    expect(found.certificateUntil?.getUTCFullYear()).toBe(2126);
    await expect.poll(() => smtp.heard.at(-1)).toBe('QUIT');
    expect(smtp.heard.filter((line) => !/^(EHLO|STARTTLS|AUTH)/.test(line))).toEqual([
      'MAIL FROM:<website@trust.example>',
      'RCPT TO:<help@trust.example>',
      'RCPT TO:<contact@trust.example>',
      'RSET',
      'QUIT',
    ]);
  },
);

test('a remote server without encryption gets neither password nor address', async () => {
  const { smtp, probe } = await startSmtpToProbe();
  const found = await probe({ isLocal: () => false });
  expect(stepsOf(found)).toEqual(upTo('tls'));
  expect(found.problem).toBe('SMTP 502 at STARTTLS');
  expect(smtp.heard.filter((line) => /AUTH|MAIL/.test(line))).toEqual([]);
});

const certificates: [string, Parameters<typeof startScriptedSmtp>[0], Partial<SmtpOptions>, string][] = [
  ['that nobody vouches for', {}, {}, 'DEPTH_ZERO_SELF_SIGNED_CERT at CONN'],
  [
    'that has ended',
    { certificate: endedCertificate },
    { ca: endedCertificate.cert },
    'CERT_HAS_EXPIRED at CONN',
  ],
];
test.each(['starttls', 'tls'] as const)(
  '%s: a certificate that cannot be trusted ends it at TLS',
  async (kind) => {
    for (const [, options, more, problem] of certificates) {
      const { smtp, probe } = await startSmtpToProbe({ ...options, [kind]: true });
      const found = await probe(more);
      expect(stepsOf(found)).toEqual(upTo('tls'));
      expect(found.problem).toBe(problem);
      expect(found.certificateUntil).toBeNull();
      expect(smtp.heard.filter((line) => /AUTH|MAIL/.test(line))).toEqual([]);
    }
  },
);

test('a server that is silent during STARTTLS times out at the step tls', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
  const { probe } = await startSmtpToProbe();
  const { port } = silent.address() as { port: number };
  const found = await probe({ url: `smtps://127.0.0.1:${port}`, timeouts: { connectionMs: 300 } });
  expect(stepsOf(found)).toEqual(upTo('tls'));
  expect(found.problem).toBe('ETIMEDOUT at CONN');
});
