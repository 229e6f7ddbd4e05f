/** A photo as `/photos/search` answers: the stock-photo service's own shape, with addresses of this site. */
export interface Photo {
  id: string;
  alt: string;
  /** `#rrggbb`, shown until the picture is there. */
  avg_color: string;
  photographer: string;
  /** The photo's page at the service; empty for a picture of the built-in library. */
  url: string;
  src: { landscape: string; medium: string };
  /** Where all its renditions are: `/photos/{hash of the content}`. */
  folder: string;
  source: 'pexels' | 'library';
}

/** What a page needs of one to show it, and to credit it where the service asks for that. */
export type ShownPhoto = Pick<Photo, 'alt' | 'avg_color' | 'folder'> &
  ({ source?: 'library' } | ({ source: 'pexels' } & Pick<Photo, 'photographer' | 'url'>));

/** The ways the pages show a photo. */
export type PhotoUse = 'cover' | 'header' | 'card';

/** One shape a photo is cut to, and the screens it is for; the last of a list is for all the others. */
export interface Crop {
  width: number;
  height: number;
  media?: string;
}

export const crops: Record<PhotoUse, readonly Crop[]> = {
  // A phone has the words below the people, and cuts off what is beside them. From 600 px on they stand beside the words:
  // 1280 is the width at which the people of a cover and two words fill a window of 600.
  cover: [
    { width: 480, height: 400, media: '(max-width: 599px)' },
    { width: 1280, height: 400, media: '(max-width: 959px)' },
    { width: 1920, height: 400 },
  ],
  header: [
    { width: 480, height: 240, media: '(max-width: 480px)' },
    { width: 1000, height: 240 },
  ],
  card: [
    { width: 600, height: 240, media: '(max-width: 599px)' },
    { width: 340, height: 240 },
  ],
};

export const densities = [1, 2] as const;
/** Best first: a browser takes the first it knows. */
export const imageFormats = ['avif', 'webp', 'jpeg'] as const;

export type Density = (typeof densities)[number];
export type ImageFormat = (typeof imageFormats)[number];

export function renditionName(use: PhotoUse, crop: Crop, density: Density, format: ImageFormat): string {
  return `${use}-${crop.width}@${density}x.${format}`;
}
