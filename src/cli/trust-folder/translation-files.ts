import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asText } from '../../model/phrase.ts';
import { BadContent, readContent } from '../../server/content/content.ts';
import { languagesFolder, listPoFiles } from '../../server/content/languages/read-po.ts';
import { adoptPo } from '../../server/content/languages/update-po.ts';

const exampleContent = fileURLToPath(new URL('../../../content', import.meta.url));

/** The translations that come with the product, as far as they fit the words of a trust: the files of its folder, by path. */
export async function translationFiles(contentDir: string): Promise<Record<string, string>> {
  try {
    const { sentences, site } = await readContent(contentDir);
    const { names } = await listPoFiles(exampleContent);
    return Object.fromEntries(
      names.map((name) => [
        `content/${languagesFolder}/${name}`,
        adoptPo(
          readFileSync(join(exampleContent, languagesFolder, name), 'utf8'),
          sentences,
          asText(site.organisation),
        ),
      ]),
    );
  } catch (error) {
    // Content that was there before and is broken: awhina check says what is wrong with it.
    if (error instanceof BadContent) return {};
    throw error;
  }
}
