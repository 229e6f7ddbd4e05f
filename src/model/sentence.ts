export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** 'the disk is full' as 'The disk is full.' */
export const asSentence = (text: string): string => `${capitalise(text)}${/[.!?…]$/.test(text) ? '' : '.'}`;
