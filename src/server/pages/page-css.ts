import { fitInRow } from '../../model/language.ts';
import { allPhotos, colourClass } from '../../model/page-data.ts';
import { type Theme, themeCss } from '../content/theme.ts';
import { askedQuestionsCss } from './asked-questions-css.ts';
import type { FullPageData } from './load-page-data.ts';

/**
 * For a menu with more than the two forms: closer links, and a second row of links before the trust's name takes a third
 * line. Here and not in the style sheet, because only sites with own pages should send these bytes.
 */
const menuCss =
  '@media (min-width:60em){#root header{flex-wrap:nowrap}#root header>a:first-of-type{min-inline-size:11em;font-size:var(--type-1)}#root header>nav ul{flex-wrap:wrap;justify-content:end;gap:0 4px}#root header>nav a{padding-inline:6px}}';

/** For languages that do not fit one row: as many names as do, and all of them unfolded. */
const manyLanguagesCss =
  '#root>nav details{flex:1;min-inline-size:0}#root>nav summary{min-block-size:44px;margin-block:-5px;line-height:44px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;cursor:pointer}#root>nav summary span{margin-inline:6px}#root>nav [open] summary span:not([aria-current]){display:none}#root>nav details li>*{margin-block:0}';

/** For the line above a page that only a person who checks a translation sees. */
const previewCss =
  '#preview{margin:0;padding:8px var(--side);background:var(--ink);color:#fff;font-size:.9375rem;line-height:1.4}';

/** For the notice of a closure, which only a closed site should send. */
export const closedCss =
  '#closed{margin:0;padding:10px var(--gutter);background:var(--tint);color:var(--primary);font-size:.9375rem;font-weight:600;line-height:1.45;text-align:center}@media (max-width:37.49875em){li#closed{flex:1 0 100%;inline-size:auto;margin:-16px calc(-1*var(--gutter)) 0}}@media (min-width:37.5em){#closed{font-size:1rem}#support ul{flex-wrap:wrap}li#closed{order:-1;display:block;inline-size:100%;min-block-size:0;padding:14px 20px;border-radius:var(--radius)}}';

/** For the Women's Refuge portal. Its bar is visible at the top of a window that is lower than the frame. */
const shieldedCss =
  '#shielded-button{min-block-size:44px;padding-inline:12px;border:0;border-radius:var(--radius-small);background:none;color:var(--primary);text-decoration:underline var(--accent);text-underline-offset:3px;cursor:pointer}#shielded-button:hover{background:var(--tint)}#shielded{max-inline-size:calc(100vw - 8px);max-block-size:calc(var(--screen) - 8px);padding:8px;border:0;border-radius:var(--radius-small);background:var(--paper);color:var(--ink)}#shielded::backdrop{background:rgb(31 45 58/.55)}#shielded>div{position:sticky;inset-block-start:-8px;display:flex;align-items:center;justify-content:space-between;background:var(--paper)}#shielded h2{margin:8px;font-size:1.125rem}#shielded iframe{display:block;max-inline-size:100%;border:0;background:#fff}';

/** Below photos of Pexels. */
const creditCss =
  '#credit{margin:8px 0 0;color:var(--ink-soft);font-size:var(--type-00)}#credit a{display:inline-block;padding-block:12px;margin-block:-12px}';

/** The rules for pages from right to left: 70 bytes of brotli that a site without such a language should not send. */
const mirroredRules = /(?<=^|[{}])\[dir=rtl\][^{},]*\{[^{}]*\}/g;

/**
 * The style sheet with a rule for each photo's colour, and the rules of the trust's theme.
 *
 * @param ownPageCss the rules that only the trust's own pages need.
 */
export function pageCss(css: string, data: FullPageData, theme: Theme | undefined, ownPageCss = ''): string {
  const rules = new Set(
    allPhotos(data.photos)
      .filter((photo) => /^#[0-9a-f]{6}$/i.test(photo.avg_color))
      .map((photo) => `.${colourClass(photo)}{background:${photo.avg_color}}`),
  );
  const isMirrored = [data.language, ...(data.languages ?? [])].some(({ dir }) => dir);
  return (
    (isMirrored ? css : css.replace(mirroredRules, '')) +
    [...rules].join('') +
    askedQuestionsCss(data) +
    (data.menu ? menuCss : '') +
    (data.closed ? closedCss : '') +
    (data.site.shieldedSite ? shieldedCss : '') +
    (allPhotos(data.photos).some(({ source }) => source === 'pexels') ? creditCss : '') +
    (fitInRow(data.languages ?? []) ? '' : manyLanguagesCss) +
    (data.preview ? previewCss : '') +
    themeCss(theme) +
    ownPageCss
  );
}
