/** A photo in the shape of the Pexels API, with URLs of this site. */
export interface Photo {
  id: string;
  alt: string;
  /** `#rrggbb`, shown until the picture has loaded. */
  avg_color: string;
  photographer: string;
  /** The photo's page at Pexels; empty for a picture of the built-in library. */
  url: string;
  src: { landscape: string; medium: string };
  /** The path of its renditions: `/photos/{hash of the content}`. */
  folder: string;
  source: 'pexels' | 'library';
}

/** What a page needs to show a photo, and to credit it where Pexels asks for that. */
export type ShownPhoto = Pick<Photo, 'alt' | 'avg_color' | 'folder'> & {
  /** The language of `alt`, where it is not the page's. */
  lang?: string;
} & ({ source?: 'library' } | ({ source: 'pexels' } & Pick<Photo, 'photographer' | 'url'>));

export type PhotoUse = 'cover' | 'header' | 'card';

/** A crop in px and its media query. The last crop of a list is for all other screens. */
export interface Crop {
  width: number;
  height: number;
  media?: string;
}

export const crops: Record<PhotoUse, readonly Crop[]> = {
  // A phone shows the words below the people, and cuts off the sides. From 600 px on the words are beside the people: at a
  // width of 1280 px, the people of a cover and two words fill a window of 600 px.
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
/** Smallest files first: a browser takes the first format it supports. */
export const imageFormats = ['avif', 'webp', 'jpeg'] as const;

export type Density = (typeof densities)[number];
export type ImageFormat = (typeof imageFormats)[number];

export function renditionName(use: PhotoUse, crop: Crop, density: Density, format: ImageFormat): string {
  return `${use}-${crop.width}@${density}x.${format}`;
}
