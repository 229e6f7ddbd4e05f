import { createHmac, timingSafeEqual } from 'node:crypto';

/** 128 bits. Hexadecimal, because a mail program that finds a link in plain text may leave out a '-' or '_' at its end. */
const keyLength = 32;
const staffPath = '/staff';

/**
 * The keys of the pages for staff, one for each request, made from its reference and the site's secret. They are stored
 * nowhere: only whoever has the mail has the key.
 */
export function createStaffKeys(secret: string) {
  const deriveFrom = (from: string) => createHmac('sha256', from).update('staff page').digest();
  let current = deriveFrom(secret);
  const known = [current];

  const sign = (by: Buffer, reference: string) =>
    createHmac('sha256', by).update(reference).digest('hex').slice(0, keyLength);

  return {
    /** The path of the page, with its key. */
    pathFor: (reference: string): string => `${staffPath}/${reference}/${sign(current, reference)}`,
    /** The reference in what follows `/staff/`. Null where the key is not the key of this reference. */
    readPath(rest: string): string | null {
      const match = /^([0-9A-Z]{4}-[0-9A-Z]{4})\/([0-9a-f]{32})\/?$/.exec(rest);
      if (!match) return null;
      const [, reference = '', key = ''] = match;
      const isOurs = known.some((by) => timingSafeEqual(Buffer.from(sign(by, reference)), Buffer.from(key)));
      return isOurs ? reference : null;
    },
    /** Signs with this secret, which several servers share. Keys that were made with an earlier one stay valid. */
    setSecret(shared: string): void {
      current = deriveFrom(shared);
      if (!known.some((one) => one.equals(current))) known.push(current);
    },
  };
}

export type StaffKeys = ReturnType<typeof createStaffKeys>;
