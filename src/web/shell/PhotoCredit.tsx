import { Fragment } from 'react';
import type { Photo } from '../../model/photo.ts';
import styles from './PhotoCredit.module.css';

/** Pexels asks for a link wherever its photos are shown. Pictures of the built-in library need none. */
export function PhotoCredit({ photos }: { photos: readonly (Photo | null | undefined)[] }) {
  const credited = new Map(
    photos.flatMap((photo) => (photo?.source === 'pexels' ? [[photo.photographer, photo] as const] : [])),
  );
  if (credited.size === 0) return null;
  return (
    <p className={styles.credit}>
      {credited.size === 1 ? 'Photo' : 'Photos'} by{' '}
      {[...credited.values()].map((photo, index) => (
        <Fragment key={photo.id}>
          {index > 0 && ', '}
          <a href={photo.url} rel="noreferrer">
            {photo.photographer}
          </a>
        </Fragment>
      ))}{' '}
      on{' '}
      <a href="https://www.pexels.com" rel="noreferrer">
        Pexels
      </a>
    </p>
  );
}
