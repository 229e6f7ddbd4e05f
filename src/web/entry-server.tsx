import { renderToString } from 'react-dom/server';
import { pathOf } from '../model/routes.ts';
import type { Rendered, View } from '../model/view.ts';
import { App } from './App.tsx';
import { AwayPage } from './away/AwayPage.tsx';
import awayCss from './away/away.css?inline';
import { loadFormPage } from './form/page/load-form-page.ts';
import { laterCss } from './later-css.ts';
import articleCss from './own-page/article.css?inline';
import { OwnPage } from './own-page/OwnPage.tsx';
import drawerSlide from './shell/drawer-slide.css?inline';
import { StaffPage } from './staff/StaffPage.tsx';
import staffCss from './staff/staff.css?inline';
import baseCss from './styles/base.css?inline';
import buttonsCss from './styles/buttons.module.css?inline';

export { laterCss };

// renderToString cannot wait for the lazy chunk.
await loadFormPage();

export function render(view: View): Rendered {
  switch (view.kind) {
    case 'page': {
      const { page, data } = view;
      const body = renderToString(<App data={data} path={pathOf(page, data.language.prefix)} />);
      // In the response to a form everything is inside: a receipt must be seen where the file of later rules does not arrive.
      return { body, css: page === 'home' || data.posted ? laterCss : '' };
    }
    case 'own':
      return { body: renderToString(<OwnPage {...view} />), css: articleCss + drawerSlide };
    case 'away':
      return { body: renderToString(<AwayPage {...view} />), css: awayCss };
    case 'staff':
      // Complete: this page has no other styles.
      return { body: renderToString(<StaffPage {...view} />), css: baseCss + buttonsCss + staffCss };
  }
}
