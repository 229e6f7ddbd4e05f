import { inLanguage } from '../../model/language.ts';
import { asText } from '../../model/phrase.ts';
import { type PageName, pageAt } from '../../model/routes.ts';
import { nameOf } from '../../model/site-words.ts';
import { prepareFormPage } from '../form/page/load-form-page.ts';
import { PageLink } from '../navigation/PageLink.tsx';
import { usePath } from '../navigation/path.ts';
import { usePageData } from '../page-data-context.ts';
import { Words } from './Words.tsx';

interface PageLinksProps {
  pages: readonly PageName[];
  className: string | undefined;
}

export function PageLinks({ pages, className }: PageLinksProps) {
  const { site, menu, language } = usePageData();
  const path = usePath();
  const here = pageAt(path);
  return (
    <nav aria-label={asText(site.shell.pageList)} className={className} data-page={here}>
      <ul>
        {pages.map((page) => (
          <li key={page}>
            <PageLink
              to={page}
              aria-current={page === here ? 'page' : undefined}
              onPointerEnter={prepareFormPage}
            >
              <Words phrase={nameOf(page, site)} />
            </PageLink>
          </li>
        ))}
        {menu?.map((link) => (
          <li key={link.path}>
            <a
              href={inLanguage(language.prefix, link.path)}
              aria-current={link.path === path ? 'page' : undefined}
            >
              <Words phrase={link.label} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
