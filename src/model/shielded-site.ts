/** The Women's Refuge portal: a page of theirs, shown in a frame on other people's sites. */
export const shieldedSiteAddress = 'https://staticcdn.co.nz';

/** The size it is made for, in CSS pixels. */
export const shieldedSiteSize = { width: 310, height: 420 };
