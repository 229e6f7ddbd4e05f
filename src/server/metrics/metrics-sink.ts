import type { FormName } from '../../model/form-field.ts';
import type { ErrorCode } from '../../model/operations.ts';
import type { TokenFault } from '../bot-check/bot-check.ts';

/** What the parts of the server report as it happens. Each event costs an increment. */
export interface MetricsSink {
  onResponse(method: string, route: string | undefined, status: number): void;
  /** A new submission is synced to disk, so many seconds after the store was asked. */
  onStored(submission: { form: FormName; canary: boolean; seconds: number }): void;
  /** A form was refused. The code is what the visitor's browser was told. */
  onRefused(form: FormName, code: ErrorCode): void;
  /** The form that came with the token may still be accepted as one without a script. */
  onTokenRefused(reason: TokenFault): void;
  /** The mail server accepted the mail at this time. */
  onDelivered(submission: { form: FormName; canary?: boolean; receivedAt: Date }, at: Date): void;
}
