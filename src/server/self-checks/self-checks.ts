import type { AddressInfo } from 'node:net';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/contract/store.ts';
import { type CanaryParts, createCanary } from './canary.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createMailWatch, type MailWatchParts } from './mail-watch.ts';
import { createProofOfReading, type ProofParts } from './proof-of-reading.ts';

interface SelfCheckParts
  extends Omit<MailWatchParts, 'gates'>,
    Pick<ProofParts, 'site' | 'tellOthers' | 'checkClock'> {
  settings: Pick<Settings, 'canary' | 'heartbeatUrl'> & ProofParts['settings'];
  store: Store;
  canaryMarks: CanaryParts['marks'];
  /** Where this server listens. */
  address: () => AddressInfo;
  /** What nobody has seen, or could be told: a watchdog must not hear that all is well. */
  findStaffProblems: () => Promise<string[]>;
  /** That the mail server refuses what staff are told. */
  findRefusalProblem: () => string | null;
}

/** What shows, before a person needs it, whether a request would reach staff: the daily canary and the hourly probe. */
export function createSelfChecks({ settings, address, canaryMarks, ...parts }: SelfCheckParts) {
  const { canary: canarySettings, heartbeatUrl } = settings;
  const mail = createMailWatch({ ...parts, gates: parts.store });
  const heartbeat = heartbeatUrl ? createHeartbeat(heartbeatUrl, parts.log) : async () => {};
  const proof = createProofOfReading({ ...parts, settings });
  const staffProblems = async () => [...(await parts.findStaffProblems()), ...(await proof.findProblems())];
  const canary = createCanary({
    ...parts,
    marks: canaryMarks,
    alertStaff: mail.alertOnce,
    at: canarySettings?.at ?? null,
    url: () => canarySettings?.url ?? ownUrl(address()),
    async sendHeartbeat(stopping) {
      const problem = parts.findRefusalProblem() ?? (await staffProblems())[0];
      if (problem === undefined) return heartbeat(stopping);
      // Not the problem itself, which may name a mailbox: /health/deliveries shows it.
      parts.log.warn({ event: 'heartbeat withheld' });
    },
  });
  const withoutNulls = (found: (string | null)[]) => found.filter((one) => one !== null);
  return {
    timers: [...mail.timers, canary.timer, ...proof.timers],
    stop() {
      mail.stop();
      canary.stop();
    },
    /** For /health/deliveries: problems make it 503, warnings do not. */
    problems: async () => withoutNulls([await canary.findProblem(), mail.problem()]),
    warnings: () => withoutNulls([mail.warning()]),
    /** What staff have not seen, and mailboxes that nobody seems to read. Not for the public: a request changes it. */
    staffProblems,
    /** The mail server's certificate; null where no probe has seen it. */
    mailCertificate: mail.certificate,
    /** When a probe last found that the mail server accepts mail. */
    mailAcceptedAt: mail.acceptedAt,
    /** How the last canaries went; null where none is sent. */
    canary: canary.readTimes,
    recurring: canary.recurring,
  };
}

export type SelfChecks = ReturnType<typeof createSelfChecks>;

/** 0.0.0.0 and :: are reached through loopback. */
function ownUrl({ address, family, port }: AddressInfo): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
