import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type MinifyOptions, minify } from 'terser';
import type { Plugin } from 'vite';

const compressions = { br: promisify(brotliCompress), gz: promisify(gzip) };

/**
 * Minifies the browser's scripts once more and writes a brotli and a gzip file beside each file, so that the server never
 * compresses them. The plugin reads the written files, because Vite changes a bundle until it is written.
 */
export const compressFiles: Plugin = {
  name: 'compress-files',
  async writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle)) {
      const written = await readFile(join(dir, name), 'utf8');
      const content = name.endsWith('.js') ? await minifyAgain(written, name) : written;
      await writeFile(join(dir, name), content);
      for (const [extension, compress] of Object.entries(compressions)) {
        await writeFile(join(dir, `${name}.${extension}`), await compress(content));
      }
    }
  },
};

/**
 * React's functions do not use `this`, which `(0, react.jsx)()` keeps from them; and in production `jsxs` is `jsx`. Calling
 * them plainly saves 0.1 kB.
 */
const callPlainly = (script: string): string =>
  script.replace(/\(0, ?(\w+)\.(?:(jsx)s?|(use\w*|create\w+))\)\(/g, ' $1.$2$3(');

/**
 * The bundler gives React's packages the shape of modules, at run time, for a default export that nothing here imports.
 * Where this pattern finds the helper no more, the script is only larger.
 */
const withoutInterop = (script: string): string =>
  script.replace(/(?<=[ ,]\w+=)\((\w+),\w+,\w+\)=>\([^;]{0,80}__esModule[^;]{0,120}?\1\)\)/, '$1=>$1');

/** Terser after Vite's own minifier saves 0.8 kB (brotli). Terser instead of Vite's own saves less. */
async function minifyAgain(script: string, name: string): Promise<string> {
  // The worker is a classic script, wrapped in a function.
  const module = !name.includes('worker');
  const options = {
    module,
    ecma: 2020,
    // The two unsafe options turn function expressions into arrow functions, which `new` cannot call; no code here does.
    // `pure_getters` must stay off: React reads `clientHeight` to force a layout before a view transition.
    compress: { passes: 3, unsafe_methods: true, unsafe_arrows: true },
    // Brackets around function arguments let the browser compile React DOM while the script is still downloading. Without
    // them the compilation blocks the page: 100 to 150 ms on Lighthouse's slow phone.
    format: { wrap_func_args: module },
  } as const satisfies MinifyOptions;
  // The second run saves 0.1 kB in the names that the first run has given.
  const { code = script } = await minify(withoutInterop(callPlainly(script)), options);
  return (await minify(code, options)).code ?? code;
}
