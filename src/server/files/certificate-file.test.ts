import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import {
  endedCertificate,
  signedCertificate,
  testCertificate,
} from '../../../test/support/test-certificate.ts';
import { readSettings } from '../settings/settings.ts';
import { describeExpired, readCertificates } from './certificate-file.ts';

function write(text: string): string {
  const path = join(temporaryFolder(), 'ca.pem');
  writeFileSync(path, text);
  return path;
}
const mail = {
  SMTP_URL: 'smtp://mail.trust.example',
  MAIL_FROM: 'website@trust.example',
  MAIL_TO_HELP: 'help@trust.example',
  MAIL_TO_CONTACT: 'contact@trust.example',
};

test('all certificates of a file are read, whatever text is between them', () => {
  const path = write(`Ours\r\n${testCertificate.cert}\n# and the new one\n${signedCertificate.authority}`);
  const { mail: read } = readSettings({ ...mail, SMTP_CA: path });
  expect(read.ca).toHaveLength(2);
});

test.each([
  ['nothing', 'SMTP_CA names a file without a certificate in PEM (-----BEGIN CERTIFICATE-----)'],
  [
    '-----BEGIN CERTIFICATE-----\nCANARY\n-----END CERTIFICATE-----\n',
    'SMTP_CA names a file with a certificate that cannot be read',
  ],
])('a file that is of no use stops the start: %j', (text, told) => {
  expect(() => readSettings({ ...mail, SMTP_CA: write(text) })).toThrow(
    `These settings are not right:\n  ${told}`,
  );
});

test('a certificate file that is missing or is a folder stops the start', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'ca'));
  expect(readCertificates(join(folder, 'none.pem'))).toMatchObject({
    problem: 'names a file that is not there',
  });
  expect(readCertificates(join(folder, 'ca'))).toMatchObject({
    problem: 'names a folder, and must name a file',
  });
});

test('an expired certificate is reported and stops nothing; beside a newer one it is not reported', () => {
  const ended = readSettings({ ...mail, SMTP_CA: write(endedCertificate.cert) }).mail.caExpiresAt;
  const both = readSettings({
    ...mail,
    SMTP_CA: write(endedCertificate.cert + testCertificate.cert),
  }).mail.caExpiresAt;
  expect(both?.getUTCFullYear()).toBe(2126);
  expect(describeExpired('SMTP_CA', ended, new Date())).toMatch(
    /^The certificate in SMTP_CA ended on .*2021.*mail waits/,
  );
  expect(describeExpired('SMTP_CA', both, new Date())).toBeNull();
});
