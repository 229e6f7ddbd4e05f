/** How Node runs the server. deploy/awhina.service has these too, and the permissions on top. */
export const nodeFlags: readonly string[] = [];
