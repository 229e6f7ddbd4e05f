/** The same keys with other values. */
export const mapValues = <K extends string, V, T>(
  record: Readonly<Record<K, V>>,
  make: (value: V, key: K) => T,
): Record<K, T> =>
  Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, make(value, key as K)])) as Record<
    K,
    T
  >;
