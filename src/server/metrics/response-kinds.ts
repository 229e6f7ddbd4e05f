/** Kinds of responses, by the pattern of the route and never by the address. */

export const responseKinds = [
  'page',
  'form',
  'graphql',
  'challenge',
  'picture',
  'asset',
  'health',
  'staff',
  'other',
] as const;
type ResponseKind = (typeof responseKinds)[number];

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
type StatusClass = (typeof statusClasses)[number];

const patterns: [RegExp, ResponseKind][] = [
  [/^\/(:language\/?)?(help|contact|:page)?$/, 'page'],
  [/^\/graphql$/, 'graphql'],
  [/^\/bot-check\//, 'challenge'],
  [/^\/photos\//, 'picture'],
  [/^\/assets\//, 'asset'],
  [/^\/health\//, 'health'],
  [/^\/staff\//, 'staff'],
];

export function kindOf(method: string, route = ''): ResponseKind {
  const kind = patterns.find(([pattern]) => pattern.test(route))?.[1] ?? 'other';
  return kind === 'page' && method === 'POST' ? 'form' : kind;
}

/** An unknown status counts as 5xx. */
export const classOf = (status: number): StatusClass => statusClasses[Math.floor(status / 100) - 2] ?? '5xx';
