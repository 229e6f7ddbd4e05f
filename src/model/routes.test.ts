import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { otherRoutes } from './routes.ts';

const proxies = {
  'deploy/nginx.conf': /(?:location |location = |\^\S+ )(\/[\w-]+)/g,
  'deploy/Caddyfile': /(?:path|handle|health_uri) (\/[\w-]+)/g,
};

test.each(Object.entries(proxies))('%s names addresses of the site, and no other', (file, pattern) => {
  const named = [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, path = '']) => path);
  const { assets, graphql, health, staff } = otherRoutes;
  // nginx's own, for the page that is shown while the site is away.
  expect(new Set(named.filter((path) => path !== '/awhina-away'))).toEqual(
    new Set([assets, graphql, health, staff]),
  );
});
