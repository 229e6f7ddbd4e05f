import { renderToString } from 'react-dom/server';
import type { PageData } from '../model/page-data.ts';
import { type PageName, pathOf } from '../model/routes.ts';
import { App } from './App.tsx';
import { AwayPage, type AwayPageProps } from './away/AwayPage.tsx';
import awayCss from './away/away.css?inline';
import { loadFormPage } from './form/page/load-form-page.ts';
import { laterCss } from './later-css.ts';
import articleCss from './own-page/article.css?inline';
import { OwnPage, type OwnPageProps } from './own-page/OwnPage.tsx';

export { laterCss };

// renderToString cannot wait for the lazy chunk.
await loadFormPage();

export function render(page: PageName, data: PageData): string {
  return renderToString(<App data={data} path={pathOf(page, data.language.prefix)} />);
}

export function renderOwn(props: OwnPageProps): { body: string; css: string } {
  return { body: renderToString(<OwnPage {...props} />), css: articleCss };
}

export function renderAway(props: AwayPageProps): { body: string; css: string } {
  return { body: renderToString(<AwayPage {...props} />), css: awayCss };
}
