/** Maps are merged name by name. Lists and single values replace the default as a whole. */
type YamlMap = Readonly<Record<string, unknown>>;

const isYamlMap = (value: unknown): value is YamlMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const valueAt = (names: YamlMap, name: string): unknown =>
  Object.hasOwn(names, name) ? names[name] : undefined;
/** A name with nothing after it, such as a block whose lines are all commented out, counts as absent. */
const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

/** The defaults, with what a trust has written in their stead. */
export function merge(defaults: unknown, written: unknown): unknown {
  if (isAbsent(written)) return defaults;
  if (!isYamlMap(written)) return written;
  const defaultMap = isYamlMap(defaults) ? defaults : {};
  const names = new Set([...Object.keys(defaultMap), ...Object.keys(written)]);
  return Object.fromEntries(
    [...names].map((name) => [name, merge(valueAt(defaultMap, name), valueAt(written, name))]),
  );
}

/** The names of the defaults that a trust did not replace. A block of which nothing was replaced has one name, its own. */
export function findDefaultsUsed(
  defaults: unknown,
  written: unknown,
  path: readonly string[] = [],
): string[] {
  if (isAbsent(written)) return hasWords(defaults) ? [path.join(' › ')] : [];
  if (!isYamlMap(defaults) || !isYamlMap(written)) return [];
  return Object.entries(defaults).flatMap(([name, value]) =>
    findDefaultsUsed(value, valueAt(written, name), [...path, name]),
  );
}

/** False for a boolean and for an empty list. */
function hasWords(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' && value !== null && Object.values(value).some(hasWords);
}
