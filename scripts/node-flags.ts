/**
 * How Node runs the server. deploy/ has these too, and the unit the permissions on top. Without a bound the collector lets
 * garbage grow to what the machine has room for (docs/decisions/0089).
 */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=8', '--max-old-space-size=512'];
