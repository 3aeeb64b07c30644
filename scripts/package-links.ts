import { dirname, join, relative } from 'node:path';

/**
 * The text of a page for a package, in which the files of the project have these places. Links lead there; of a link to a file that
 * the package doesn't have, and of a picture, only the words stay.
 */
export function withLinksInPackage(page: string, text: string, places: ReadonlyMap<string, string>): string {
  const folder = dirname(places.get(page) ?? '');
  return text.replaceAll(
    /!?\[([^\]]+)\]\((?!\w+:|#)([^)#]+)(#[^)]+)?\)/g,
    (_, words: string, target: string, anchor = '') => {
      const place = places.get(join(dirname(page), target));
      return place === undefined ? words : `[${words}](${relative(folder, place)}${anchor})`;
    },
  );
}
