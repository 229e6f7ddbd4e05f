import { otherRoutes, pageNames, routes } from '../../model/routes.ts';

const pagePaths = pageNames.map((name) => routes[name].path.slice(1)).join('|');
const below = (...starts: string[]) => new RegExp(`^(${starts.join('|')})(/|$)`);

/** Kinds of responses, by the pattern of the route and never by the address. */
const patterns = {
  page: new RegExp(`^/(:language/?)?(${pagePaths}|:page)$`),
  graphql: below(otherRoutes.graphql),
  challenge: below(otherRoutes.botCheck),
  picture: below(otherRoutes.photos),
  asset: below(otherRoutes.assets),
  health: below(otherRoutes.health, otherRoutes.metrics),
  staff: below(otherRoutes.staff),
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
