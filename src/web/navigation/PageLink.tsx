import type { ComponentProps, MouseEvent } from 'react';
import { type PageName, pathOf } from '../../model/routes.ts';
import { usePageData } from '../page-data-context.ts';
import { goTo } from './path.ts';

export const isModified = ({ button, ctrlKey, metaKey, altKey, shiftKey }: MouseEvent): boolean =>
  !!button || ctrlKey || metaKey || altKey || shiftKey;

/** A link with all that a browser offers for links; an unmodified click navigates within this document. */
export function PageLink({ to, ...rest }: { to: PageName } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  const path = pathOf(to, usePageData().language.prefix);
  const follow = (event: MouseEvent) => {
    if (isModified(event)) return;
    event.preventDefault();
    goTo(path);
  };
  return <a {...rest} href={path} onClick={follow} />;
}
