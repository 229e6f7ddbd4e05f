import { renderToString } from 'react-dom/server';
import type { PageData } from '../model/page-data.ts';
import { type PageName, pathOf } from '../model/routes.ts';
import type { StaffPageProps } from '../model/staff-page.ts';
import { App } from './App.tsx';
import { AwayPage, type AwayPageProps } from './away/AwayPage.tsx';
import awayCss from './away/away.css?inline';
import { loadFormPage } from './form/page/load-form-page.ts';
import { laterCss } from './later-css.ts';
import articleCss from './own-page/article.css?inline';
import { OwnPage, type OwnPageProps } from './own-page/OwnPage.tsx';
import { StaffPage } from './staff/StaffPage.tsx';
import staffCss from './staff/staff.css?inline';
import baseCss from './styles/base.css?inline';

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

/** Its styles are complete: the page has nothing of the other pages. */
export function renderStaff(props: StaffPageProps): { body: string; css: string } {
  return { body: renderToString(<StaffPage {...props} />), css: baseCss + staffCss };
}
