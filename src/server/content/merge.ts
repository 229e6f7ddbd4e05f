/** YAML maps, which are merged name by name. Lists and single values replace the default as a whole. */
type Names = Readonly<Record<string, unknown>>;

const isNames = (value: unknown): value is Names =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const valueAt = (names: Names, name: string): unknown =>
  Object.hasOwn(names, name) ? names[name] : undefined;
/** A name with nothing after it, such as a block whose lines are all commented out, counts as absent. */
const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** What a trust has written, over the defaults. */
export function merge(defaults: unknown, written: unknown): unknown {
  if (isNothing(written)) return defaults;
  if (!isNames(written)) return written;
  const under = isNames(defaults) ? defaults : {};
  const names = new Set([...Object.keys(under), ...Object.keys(written)]);
  return Object.fromEntries(
    [...names].map((name) => [name, merge(valueAt(under, name), valueAt(written, name))]),
  );
}

/** The names of the defaults that a trust did not replace: a whole block by its own name, else one by one. */
export function findDefaultsUsed(
  defaults: unknown,
  written: unknown,
  path: readonly string[] = [],
): string[] {
  if (isNothing(written)) return hasWords(defaults) ? [path.join(' › ')] : [];
  if (!isNames(defaults) || !isNames(written)) return [];
  return Object.entries(defaults).flatMap(([name, value]) =>
    findDefaultsUsed(value, valueAt(written, name), [...path, name]),
  );
}

/** False for a switch and for an empty list. */
function hasWords(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' && value !== null && Object.values(value).some(hasWords);
}

/** The value without what the path leads to. */
export function without(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || !isNames(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [name]: without(inner, rest) };
}

/** Whether the path leads to something in the value. */
export function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return isNames(value) && Object.hasOwn(value, name) && has(value[name], rest);
}
