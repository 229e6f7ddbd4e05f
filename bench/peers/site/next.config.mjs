import { fileURLToPath } from 'node:url';

/** As it comes, but for the folder above, which is none of its business. */
export default { turbopack: { root: fileURLToPath(new URL('.', import.meta.url)) } };
