import { nameOf } from '../../model/site-words.ts';
import { PageLink } from '../navigation/PageLink.tsx';
import { useSite } from '../page-data-context.ts';
import { inARow, Words } from '../shell/Words.tsx';

/** Leads from a form that does not ask what is safe to the one that does. */
export function UseHelp() {
  const site = useSite();
  const link = (
    <PageLink to="help">
      <Words phrase={nameOf('help', site)} />
    </PageLink>
  );
  const parts = site.form.useHelp.split('{help}').map((part) => <Words key={part} phrase={part} />);
  return <p>{inARow(parts.flatMap((part, index) => (index > 0 ? [link, part] : [part])))}</p>;
}
