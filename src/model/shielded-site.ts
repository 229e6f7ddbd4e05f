/** The Women's Refuge portal, which other sites show in a frame. */
export const shieldedSiteAddress = 'https://staticcdn.co.nz';

/** In CSS pixels. */
export const shieldedSiteSize = { width: 310, height: 420 };
