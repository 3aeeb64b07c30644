import { type Compared, compare } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
import { atLeast, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import { creatorId, workspaceId } from '../roster/make-api-keys.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';

const STATUS = 'status=active';
/** No key is archived. */
const UNUSED_STATUS = 'status=archived';
const WORKSPACE = `workspace_id=${workspaceId(3)}`;
const CREATOR = `created_by_user_id=${creatorId(7)}`;

interface Combination {
  readonly label: string;
  readonly filters: readonly string[];
}

const combinations: readonly Combination[] = [
  { label: 'no filter', filters: [] },
  { label: 'status', filters: [STATUS] },
  { label: 'workspace', filters: [WORKSPACE] },
  { label: 'creator', filters: [CREATOR] },
  { label: 'status, workspace', filters: [STATUS, WORKSPACE] },
  { label: 'status, creator', filters: [STATUS, CREATOR] },
  { label: 'workspace, creator', filters: [WORKSPACE, CREATOR] },
  { label: 'all three', filters: [STATUS, WORKSPACE, CREATOR] },
  { label: 'a status that matches nothing', filters: [UNUSED_STATUS] },
  { label: 'all three, which match nothing', filters: [UNUSED_STATUS, WORKSPACE, CREATOR] },
  { label: 'an unknown workspace', filters: ['workspace_id=wrkspc_none'] },
];

/** A page that is requested again comes from the service's cache, so that only parsing the filters costs more. */
const ofCachedPages = combinations.filter(({ filters }) => [0, 3].includes(filters.length));

/** Every combination of filters against no filter. */
export function measureFilters(bench: Bench, { file, secret }: SqliteStore): Promise<Section> {
  return withService(`sqlite:${file}`, secret, async service => {
    const subjects = (
      combinations: readonly Combination[],
      queries: (filters: readonly string[]) => readonly string[],
    ) => combinations.map(({ label, filters }) => requests(bench, label, service, () => queries(filters)));
    const withCursors = (filters: readonly string[]) =>
      drawCursors(bench.keys).map(id => [...filters, `after_id=${id}`].join('&'));
    const different = await compare(bench, subjects(combinations, withCursors));
    const same = await compare(
      bench,
      subjects(ofCachedPages, filters => [filters.join('&')]),
    );
    return {
      title: 'Filters',
      about: 'A different cursor each time. Pages with few or no items are small, which makes them fast.',
      lines: comparison('requests/s', 'no filter', different),
      goals: [
        atLeast('slowest filters, a different cursor each time', 0.5, slowest(different)),
        atLeast('slowest filters, again and again', 0.8, slowest(same)),
      ],
    };
  });
}

const slowest = (compared: readonly Compared[]) =>
  compared.map(({ ratio }) => ratio).reduce((min, ratio) => (ratio.median < min.median ? ratio : min));
