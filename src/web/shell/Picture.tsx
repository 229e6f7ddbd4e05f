import type { ComponentProps } from 'react';
import { colourClass } from '../../model/page-data.ts';
import {
  type Crop,
  crops,
  type Density,
  densities,
  type ImageFormat,
  imageFormats,
  type PhotoUse,
  renditionName,
  type ShownPhoto,
} from '../../model/photo.ts';
import styles from './Picture.module.css';

/** The cover is the largest paint of the home page. A form's photo must not delay the form's script. */
const fetching: Record<PhotoUse, Pick<ComponentProps<'img'>, 'fetchPriority' | 'loading'>> = {
  cover: { fetchPriority: 'high' },
  header: { fetchPriority: 'low' },
  card: { loading: 'lazy' },
};

/** One source for each crop and format, at both densities. Without a photo, an area in the site's colours. */
export function Picture({ photo, use }: { photo: ShownPhoto | null; use: PhotoUse }) {
  if (!photo) return <div className={styles.field} />;

  const address = (crop: Crop, density: Density, format: ImageFormat) =>
    `${photo.folder}/${renditionName(use, crop, density, format)}`;
  const sourceSet = (crop: Crop, format: ImageFormat) =>
    densities.map((density) => `${address(crop, density, format)} ${density}x`).join(', ');
  const [last] = crops[use].slice(-1) as [Crop];
  const fallback: ImageFormat = 'jpeg';

  return (
    <picture className={`${styles.picture} ${colourClass(photo)}`}>
      {crops[use].flatMap((crop) =>
        imageFormats
          .filter((format) => crop !== last || format !== fallback)
          .map((format) => (
            <source
              key={`${crop.width} ${format}`}
              type={`image/${format}`}
              srcSet={sourceSet(crop, format)}
              width={crop.width}
              height={crop.height}
              {...(crop.media ? { media: crop.media } : {})}
            />
          )),
      )}
      <img
        src={address(last, 1, fallback)}
        srcSet={sourceSet(last, fallback)}
        width={last.width}
        height={last.height}
        alt={photo.alt}
        lang={photo.lang}
        {...fetching[use]}
        decoding="async"
      />
    </picture>
  );
}
