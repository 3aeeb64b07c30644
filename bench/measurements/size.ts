import { compare, ratioOf } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
import { atLeast, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';

/** A roster of 10,000,000 keys against one of 10,000. */
export function measureSize(
  bench: Bench,
  [small, smallKeys]: readonly [SqliteStore, number],
  [large, largeKeys]: readonly [SqliteStore, number],
): Promise<Section> {
  // The small roster has few cursors. Limits around 20 make more different requests of them than the service's cache holds.
  const limit = (index: number) => 10 + (index % 21);
  const cursors = (keys: number) => () =>
    drawCursors(keys).map((id, index) => `limit=${limit(index)}&after_id=${id}`);
  const sizeOf = (keys: number) => `${keys.toLocaleString('en')} keys`;
  return withService(`sqlite:${small.file}`, small.secret, smallService =>
    withService(`sqlite:${large.file}`, large.secret, async largeService => {
      const different = await compare(bench, [
        requests(bench, sizeOf(smallKeys), smallService, cursors(smallKeys)),
        requests(bench, sizeOf(largeKeys), largeService, cursors(largeKeys)),
      ]);
      const same = await compare(bench, [
        requests(bench, sizeOf(smallKeys), smallService, () => ['']),
        requests(bench, sizeOf(largeKeys), largeService, () => ['']),
      ]);
      const goal = `${sizeOf(largeKeys)} against ${sizeOf(smallKeys)}`;
      return {
        title: 'Size of the roster',
        lines: [
          'A different cursor and limit (10 to 30) each time, from all over the roster:',
          '',
          ...comparison('requests/s', 'the small roster', different),
          '',
          'The first page again and again:',
          '',
          ...comparison('requests/s', 'the small roster', same),
        ],
        goals: [
          atLeast(`${goal}, different cursors`, 0.85, ratioOf(different, 1)),
          atLeast(`${goal}, again and again`, 0.85, ratioOf(same, 1)),
        ],
      };
    }),
  );
}
