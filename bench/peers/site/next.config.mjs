import { fileURLToPath } from 'node:url';

/** The defaults, except that Next must not take a folder above for its root. */
export default { turbopack: { root: fileURLToPath(new URL('.', import.meta.url)) } };
