/**
 * Node's flags for the server, the same as in deploy/, where the unit adds the permissions. Without these limits (in MB) the
 * garbage collector lets the heap grow with the memory of the machine (docs/decisions/0089).
 */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=8', '--max-old-space-size=512'];
