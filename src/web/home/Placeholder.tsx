import { fill, plain } from '../../model/phrase.ts';
import type { Site } from '../../model/site.ts';

/** All the site shows so far: that it is coming, and where to write meanwhile. */
export function Placeholder({ site }: { site: Site }) {
  return (
    <main>
      <h1>{plain(site.organisation)}</h1>
      <p>{plain(site.cover.text)}</p>
      <p>{plain(fill(site.alternativeContact.message, { email: site.email }))}</p>
    </main>
  );
}
