/** The package.json and the package-lock.json of a release: those of the project, less what only developers need. */

type Fields = Record<string, unknown>;

export function releasePackage({
  devDependencies,
  allowScripts,
  overrides,
  engines,
  ...kept
}: Fields): Fields & { scripts: { start: string } } {
  return { ...kept, scripts: { start: 'node bin/awhina.js start' } };
}

interface Locked extends Fields {
  dev?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string | string[];
  optionalDependencies?: Record<string, string>;
}

/**
 * Without `engines`: npm leaves out, in silence, an optional package that does not want the Node npm itself runs on.
 * Here everything runs on the Node that comes along, so that the npm of an old Debian installs a release as well. And
 * without the link to that Node, which npm 10 makes and removes again, while npm 11 keeps it (bin/own-node.cjs).
 */
export function releaseLockfile(
  manifest: Fields,
  { packages, ...head }: { packages: Record<string, Locked> },
) {
  const { name, version, license, dependencies, optionalDependencies = {}, bin } = manifest;
  const nodes = Object.keys(optionalDependencies as object).map((name) => `node_modules/${name}`);
  const fits = fitsOneOf(nodes.map((path) => packages[path] ?? {}));
  const isKept = (path: string) => !packages[path]?.dev && fits(packages[path] ?? {});
  const kept = Object.keys(packages).filter((path) => path !== '' && isKept(path));
  const entries = kept.map((path) => {
    const { engines, optionalDependencies, bin, ...entry } = packages[path] ?? {};
    const optional = Object.entries(optionalDependencies ?? {}).filter(([name]) =>
      isKept(`node_modules/${name}`),
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

/** For a system and processor that a Node comes for. None comes for musl, and npm 9 would install what is for it. */
const fitsOneOf = (nodes: Locked[]) => (entry: Locked) =>
  !list(entry.libc).includes('musl') &&
  (['os', 'cpu'] as const).every(
    (key) =>
      entry[key] === undefined || nodes.some((node) => list(entry[key]).includes(list(node[key])[0] ?? '')),
  );

const list = (value: string | string[] = []) => [value].flat();
