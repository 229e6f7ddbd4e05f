import { asText } from '../../model/phrase.ts';
import { BadContent, readContent } from '../../server/content/content.ts';
import { languagesFolder } from '../../server/content/languages/read-po.ts';
import { listShipped, readShipped } from '../../server/content/languages/shipped-languages.ts';
import { adoptPo } from '../../server/content/languages/update-po.ts';

/** The translations that come with the product, as far as they fit the words of a trust: the files of its folder, by path. */
export async function translationFiles(contentDir: string): Promise<Record<string, string>> {
  try {
    const { sentences, site } = await readContent(contentDir);
    const organisation = asText(site.organisation);
    return Object.fromEntries(
      (await listShipped()).map((name) => [
        `content/${languagesFolder}/${name}`,
        adoptPo(readShipped(name), sentences, organisation),
      ]),
    );
  } catch (error) {
    // Content that was there before and is broken: awhina check says what is wrong with it.
    if (error instanceof BadContent) return {};
    throw error;
  }
}
