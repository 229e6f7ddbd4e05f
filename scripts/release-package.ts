/** The package.json and the package-lock.json of a release: the project's, without what only developers need. */

type Fields = Record<string, unknown>;

export function releasePackage({
  devDependencies,
  allowScripts,
  overrides,
  engines,
  ...rest
}: Fields): Fields & { scripts: { start: string } } {
  return { ...rest, scripts: { start: 'node bin/awhina.js start' } };
}

interface Locked extends Fields {
  dev?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string | string[];
  optionalDependencies?: Record<string, string>;
}

/**
 * Entries have no `engines`: npm would silently skip optional packages that need a newer Node than npm's own, although a
 * release runs on the Node that it contains. So the npm of an old Debian can install a release. Entries of Node have no
 * `bin`: npm 10 creates and removes the link to Node, npm 11 creates it (bin/own-node.cjs).
 */
export function releaseLockfile(
  manifest: Fields,
  { packages, ...head }: { packages: Record<string, Locked> },
) {
  const { name, version, license, dependencies, optionalDependencies = {}, bin } = manifest;
  const nodes = Object.keys(optionalDependencies as object).map((name) => `node_modules/${name}`);
  const isSupported = supportedBy(nodes.map((path) => packages[path] ?? {}));
  const isIncluded = (path: string) => !packages[path]?.dev && isSupported(packages[path] ?? {});
  const included = Object.keys(packages).filter((path) => path !== '' && isIncluded(path));
  const entries = included.map((path) => {
    const { engines, optionalDependencies, bin, ...entry } = packages[path] ?? {};
    const optional = Object.entries(optionalDependencies ?? {}).filter(([name]) =>
      isIncluded(`node_modules/${name}`),
    );
    return [
      path,
      {
        ...entry,
        ...(optional.length > 0 && { optionalDependencies: Object.fromEntries(optional) }),
        ...(bin !== undefined && !nodes.includes(path) && { bin }),
      },
    ];
  });
  const root = { name, version, license, dependencies, optionalDependencies, bin };
  return { ...head, packages: { '': root, ...Object.fromEntries(entries) } };
}

/** Whether there is a Node for the package's system and processor. There is none for musl, whose packages npm 9 would install. */
const supportedBy = (nodes: Locked[]) => (entry: Locked) =>
  !list(entry.libc).includes('musl') &&
  (['os', 'cpu'] as const).every(
    (key) =>
      entry[key] === undefined || nodes.some((node) => list(entry[key]).includes(list(node[key])[0] ?? '')),
  );

const list = (value: string | string[] = []) => [value].flat();
