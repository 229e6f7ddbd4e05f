/**
 * The oldest browsers the site's script and styles are made for; on anything older the page works without its script.
 * The build reads this, and test/oldest-browsers.test.ts reads what was built (docs/decisions/0052).
 */
export const oldestBrowsers = { chrome: '87', firefox: '100', safari: '15.4', ios: '15.4' } as const;

/** For the style sheet: what a browser cannot read it leaves out, and a media query then takes all its rules along. */
export const cssTarget = Object.entries(oldestBrowsers).map(([name, version]) => name + version);

/**
 * For scripts. The newest of its syntax that these browsers cannot read is not in it, which the test sees to: by the
 * browsers' names the build would rewrite much that they do know, and that weighs 0.4 kB.
 */
export const scriptTarget = 'es2022';
