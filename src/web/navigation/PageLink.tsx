import type { ComponentProps, MouseEvent } from 'react';
import { type PageName, routes } from '../../model/routes.ts';
import { goTo } from './path.ts';

/** A link with all that a browser offers for links; an unmodified click navigates within this document. */
export function PageLink({ to, ...rest }: { to: PageName } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  const follow = (event: MouseEvent) => {
    if (event.button || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    goTo(to);
  };
  return <a {...rest} href={routes[to].path} onClick={follow} />;
}
