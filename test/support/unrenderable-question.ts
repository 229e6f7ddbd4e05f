/**
 * Preloaded into a server (`--import`): a build that cannot render a question with the key `Unrenderable`, as one of
 * a kind that somebody forgot to draw.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const entry = pathToFileURL('dist/server/entry-server.js').href;

registerHooks({
  load: (url, context, next) =>
    url === entry
      ? {
          format: 'module',
          shortCircuit: true,
          source: `
            import * as built from '${entry}?built';
            export const { laterCss } = built;
            export function render(view) {
              const asked = view.kind === 'page' ? view.data.forms[view.page] : undefined;
              if (asked?.some(({ key }) => key === 'Unrenderable')) throw new Error('no such kind');
              return built.render(view);
            }`,
        }
      : next(url, context),
});
