import { atLeast, type Bench, requests, type Section, type Store } from '../bench.ts';
import { type Compared, compare } from '../compare.ts';
import { comparison } from '../markdown.ts';
import { drawCursors } from '../roster/cursors.ts';
import { creatorId, workspaceId } from '../roster/make-api-keys.ts';
import { withService } from '../servers/service.ts';

const STATUS = 'status=active';
/** No key of the generator is archived. */
const NO_STATUS = 'status=archived';
const WORKSPACE = `workspace_id=${workspaceId(3)}`;
const CREATOR = `created_by_user_id=${creatorId(7)}`;

const combinations: readonly { what: string; filters: readonly string[] }[] = [
  { what: 'no filter', filters: [] },
  { what: 'status', filters: [STATUS] },
  { what: 'workspace', filters: [WORKSPACE] },
  { what: 'creator', filters: [CREATOR] },
  { what: 'status, workspace', filters: [STATUS, WORKSPACE] },
  { what: 'status, creator', filters: [STATUS, CREATOR] },
  { what: 'workspace, creator', filters: [WORKSPACE, CREATOR] },
  { what: 'all three', filters: [STATUS, WORKSPACE, CREATOR] },
  { what: 'a status that matches nothing', filters: [NO_STATUS] },
  { what: 'all three, which match nothing', filters: [NO_STATUS, WORKSPACE, CREATOR] },
  { what: 'a workspace that there is not', filters: ['workspace_id=wrkspc_none'] },
];

/** Every combination of filters against none. */
export function measureFilters(bench: Bench, { file, secret }: Store): Promise<Section> {
  return withService(`sqlite:${file}`, secret, async service => {
    const subjects = (queries: (filters: readonly string[]) => readonly string[]) =>
      combinations.map(({ what, filters }) => requests(bench, what, service, () => queries(filters)));
    const anywhere = (filters: readonly string[]) =>
      drawCursors(bench.keys).map(id => [...filters, `after_id=${id}`].join('&'));
    const different = await compare(bench, subjects(anywhere));
    const same = await compare(
      bench,
      subjects(filters => [filters.join('&')]),
    );
    return {
      title: 'Filters',
      about: 'No key is archived. Pages with few items or none are small, which makes them fast.',
      lines: [
        'A different cursor each time:',
        '',
        ...comparison('requests/s', 'no filter', different),
        '',
        'The first page again and again:',
        '',
        ...comparison('requests/s', 'no filter', same),
      ],
      goals: [
        atLeast(`filters, the slowest of them, against none, different cursors`, 0.8, slowest(different)),
        atLeast(`filters, the slowest of them, against none, again and again`, 0.8, slowest(same)),
      ],
    };
  });
}

const slowest = (compared: readonly Compared[]) =>
  compared.map(({ ratio }) => ratio).reduce((least, ratio) => (ratio.median < least.median ? ratio : least));
