import { Fragment } from 'react';
import type { ShownPhoto } from '../../model/photo.ts';
import { useSite } from '../page-data-context.ts';
import { Words } from './Words.tsx';

/**
 * Pexels asks for a link wherever its photos are shown. Pictures of the built-in library need none. The rules are in
 * server/pages/page-css.ts, so that only a page with such a photo sends them.
 */
export function PhotoCredit({ photos }: { photos: readonly (ShownPhoto | null | undefined)[] }) {
  const { form, shell } = useSite();
  const { photoCredit, photosCredit } = shell;
  const credited = new Map(
    photos.flatMap((photo) => (photo?.source === 'pexels' ? [[photo.photographer, photo.url] as const] : [])),
  );
  if (credited.size === 0) return null;
  const links: Record<string, readonly (readonly [string, string])[]> = {
    '{names}': [...credited],
    '{service}': [['Pexels', 'https://www.pexels.com']],
  };
  return (
    <p id="credit">
      {(credited.size === 1 ? photoCredit : photosCredit).split(/(\{(?:names|service)\})/).map(
        (part) =>
          links[part]?.map(([name, url], index) => (
            <Fragment key={name}>
              {index > 0 && form.listSeparator}
              <a href={url} rel="noreferrer">
                {name}
              </a>
            </Fragment>
          )) ?? <Words key={part} phrase={part} />,
      )}
    </p>
  );
}
