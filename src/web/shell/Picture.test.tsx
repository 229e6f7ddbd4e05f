import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import type { PageData } from '../../model/page-data.ts';
import type { Photo, PhotoUse } from '../../model/photo.ts';
import { PageDataContext } from '../page-data-context.ts';
import { PhotoCredit } from './PhotoCredit.tsx';
import { Picture } from './Picture.tsx';

const photo: Photo = {
  id: '1',
  alt: 'A family at the beach',
  avg_color: '#A1B2C3',
  photographer: 'Sample Person',
  url: 'https://www.pexels.com/photo/1/',
  src: { landscape: '/photos/abc/landscape.jpeg', medium: '/photos/abc/medium.jpeg' },
  folder: '/photos/abc',
  source: 'pexels',
};

test('a photo has a source for each crop and format, at both densities, and its size', () => {
  const html = renderToStaticMarkup(<Picture photo={photo} use="header" />);
  expect(html.match(/<source/g)).toHaveLength(5);
  expect(html).toContain(
    '<source type="image/avif" srcSet="/photos/abc/header-480@1x.avif 1x, /photos/abc/header-480@2x.avif 2x" width="480" height="240" media="(max-width: 480px)"/>',
  );
  expect(html).toContain('src="/photos/abc/header-1000@1x.jpeg"');
  expect(html).toContain('width="1000" height="240" alt="A family at the beach"');
  expect(html).toContain('tone-a1b2c3');
});

test('the cover is fetched first, a form’s photo with low priority, and a card’s when it comes near the window', () => {
  const html = (use: PhotoUse) => renderToStaticMarkup(<Picture photo={photo} use={use} />);
  expect(html('cover')).toContain('fetchPriority="high"');
  expect(html('header')).toContain('fetchPriority="low"');
  expect(html('card')).toContain('loading="lazy"');
});

test('without a photo nothing is fetched or read out', () => {
  expect(renderToStaticMarkup(<Picture photo={null} use="card" />)).toMatch(/^<div class="[^"]*"><\/div>$/);
});

test('Pexels and its photographers are credited, each once; our own pictures need no credit', () => {
  const render = (...photos: (Photo | null)[]) =>
    renderToStaticMarkup(
      <PageDataContext value={{ site: shippedContent.site, language: {} } as unknown as PageData}>
        <PhotoCredit photos={photos} />
      </PageDataContext>,
    );
  const html = render(photo, photo, null);
  expect(html.replace(/<[^>]+>/g, '')).toBe('Photo by Sample Person on Pexels');
  expect(html).toContain('href="https://www.pexels.com/photo/1/"');
  expect(render(photo, { ...photo, photographer: 'Another' }).replace(/<[^>]+>/g, '')).toBe(
    'Photos by Sample Person, Another on Pexels',
  );
  expect(render({ ...photo, source: 'library' })).toBe('');
});
