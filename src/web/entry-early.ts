/** What travels inside the page and runs before anything is fetched. */
import { partsElementId } from '../model/page-data.ts';
import { fetchPart } from './fetch-part.ts';
import { keepTrying } from './keep-trying.ts';
import './leave/leave-early.ts';
import './shell/menu-early.ts';

/** Starts the site's own script once all is there that this page needs of it, and the page itself. */
async function start(): Promise<void> {
  const parts = document.getElementById(partsElementId)?.dataset.parts?.split(' ') ?? [];
  await Promise.all(parts.map((part) => keepTrying(() => fetchPart(part))));
  if (document.readyState === 'loading')
    await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve));
  await import(/* @vite-ignore */ parts[0] ?? '');
}

void start();
