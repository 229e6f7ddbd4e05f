/**
 * The oldest browsers that the site's script and style sheet are built for. In older browsers the pages work without their
 * script. test/oldest-browsers.test.ts compares the built files with this list (docs/decisions/0052).
 */
export const oldestBrowsers = { chrome: '87', firefox: '100', safari: '15.4', ios: '15.4' } as const;

/** By browser, because a browser that cannot parse a media query ignores every rule inside it. */
export const cssTarget = Object.entries(oldestBrowsers).map(([name, version]) => name + version);

/**
 * By year of the standard, although these browsers lack some of its syntax: by browser the build would also rewrite syntax
 * that they know, which adds 0.4 kB. The test fails if a script uses syntax that they lack.
 */
export const scriptTarget = 'es2022';
