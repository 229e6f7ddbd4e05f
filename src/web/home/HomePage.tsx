import { useState } from 'react';
import { usePageData } from '../page-data-context.ts';
import { PhotoCredit } from '../shell/PhotoCredit.tsx';
import { Words } from '../shell/Words.tsx';
import { useHydrated } from '../use-hydrated.ts';
import { anotherCover } from './another-cover.ts';
import { CallNow } from './CallNow.tsx';
import { Card } from './Card.tsx';
import { Cover } from './Cover.tsx';
import styles from './HomePage.module.css';

export function HomePage() {
  const { site, photos, cover, closed } = usePageData();
  const hydrated = useHydrated();
  // The server chose the first cover. A visitor who navigates back home sees another.
  const [shown] = useState(() => (hydrated ? anotherCover(photos.covers.length, cover) : cover));
  const photo = photos.covers[shown] ?? null;

  return (
    <>
      <div className={styles.above}>
        <CallNow />
      </div>
      <Cover photo={photo} />
      <section id="support" className={styles.support}>
        <ul className={styles.cards}>
          <li>
            <CallNow />
          </li>
          {closed && (
            <li id="closed">
              <Words phrase={closed.notice} />
            </li>
          )}
          {site.cards.map((card, index) => (
            <li key={card.page}>
              <Card card={card} photo={photos.cards[index] ?? null} />
            </li>
          ))}
        </ul>
        <PhotoCredit photos={[photo, ...photos.cards]} />
      </section>
      {site.promises && (
        <ul className={styles.promises}>
          {site.promises.map((promise) => (
            <li key={promise}>
              <Words phrase={promise} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
