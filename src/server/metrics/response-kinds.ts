/** Kinds of responses, by the pattern of the route and never by the address. */
const patterns = {
  page: /^\/(:language\/?)?(help|contact|:page)?$/,
  graphql: /^\/graphql$/,
  challenge: /^\/bot-check\//,
  picture: /^\/photos\//,
  asset: /^\/assets\//,
  health: /^\/(health\/|metrics$)/,
  staff: /^\/staff\//,
};
const routeKinds = Object.keys(patterns) as (keyof typeof patterns)[];

export const responseKinds = [...routeKinds, 'form', 'other'] as const;
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

export function kindOf(method: string, route = ''): (typeof responseKinds)[number] {
  const kind = routeKinds.find((one) => patterns[one].test(route)) ?? 'other';
  return kind === 'page' && method === 'POST' ? 'form' : kind;
}

/** An unknown status counts as 5xx. */
export const classOf = (status: number) => statusClasses[Math.floor(status / 100) - 2] ?? '5xx';
