/** What travels inside the page and runs before anything is fetched. */
import { keepTrying } from './keep-trying.ts';
import './leave/leave-early.ts';
import './stand-early.ts';

addEventListener(
  'error',
  ({ target }) => {
    // The site's own script was lost on the way. A bot check's, which is no module, is seen to where it is used.
    if (!(target instanceof HTMLScriptElement && target.type === 'module')) return;
    void keepTrying(() => import(/* @vite-ignore */ target.src));
  },
  true,
);
