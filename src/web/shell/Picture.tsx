import { colourClass } from '../../model/page-data.ts';
import {
  type Crop,
  crops,
  densities,
  type ImageFormat,
  imageFormats,
  type Photo,
  type PhotoUse,
  renditionName,
} from '../../model/photo.ts';
import styles from './Picture.module.css';

const cropsOf = (use: PhotoUse) => crops[use];

/**
 * A photo, cut for where it stands: one source for each crop and format, at both densities. Without a photo, a calm
 * field in the site's colours.
 */
export function Picture({
  photo,
  use,
  eager = false,
}: {
  photo: Photo | null;
  use: PhotoUse;
  eager?: boolean;
}) {
  if (!photo) return <div className={`${styles.field} ${styles[use]}`} />;

  const address = (crop: Crop, density: 1 | 2, format: ImageFormat) =>
    `${photo.folder}/${renditionName(use, crop, density, format)}`;
  const sourceSet = (crop: Crop, format: ImageFormat) =>
    densities.map((density) => `${address(crop, density, format)} ${density}x`).join(', ');
  const [last] = cropsOf(use).slice(-1) as [Crop];
  const fallback: ImageFormat = 'jpeg';

  return (
    <picture className={`${styles.picture} ${styles[use]} ${colourClass(photo)}`}>
      {cropsOf(use).flatMap((crop) =>
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
        {...(eager ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const })}
        decoding="async"
      />
    </picture>
  );
}
