import { atLeast, type Bench, requests, type Section, type Store } from '../bench.ts';
import { compare, ratioOf } from '../compare.ts';
import { comparison } from '../markdown.ts';
import { drawCursors } from '../roster/cursors.ts';
import { withService } from '../servers/service.ts';

/** A roster of ten million keys against one of ten thousand. */
export function measureSize(
  bench: Bench,
  [small, smallKeys]: readonly [Store, number],
  [large, largeKeys]: readonly [Store, number],
): Promise<Section> {
  // A small roster has few cursors. Limits around 20 make more requests of them than the service remembers pages.
  const limit = (drawn: number) => 10 + (drawn % 21);
  const cursors = (keys: number) => () =>
    drawCursors(keys).map((id, drawn) => `limit=${limit(drawn)}&after_id=${id}`);
  const of = (keys: number) => `${keys.toLocaleString('en')} keys`;
  return withService(`sqlite:${small.file}`, small.secret, few =>
    withService(`sqlite:${large.file}`, large.secret, async many => {
      const different = await compare(bench, [
        requests(bench, of(smallKeys), few, cursors(smallKeys)),
        requests(bench, of(largeKeys), many, cursors(largeKeys)),
      ]);
      const same = await compare(bench, [
        requests(bench, of(smallKeys), few, () => ['']),
        requests(bench, of(largeKeys), many, () => ['']),
      ]);
      const goal = `${of(largeKeys)} against ${of(smallKeys)}`;
      return {
        title: 'Size of the roster',
        lines: [
          'A different cursor and limit (10 to 30) each time, from all over the roster:',
          '',
          ...comparison('requests/s', 'the small one', different),
          '',
          'The first page again and again:',
          '',
          ...comparison('requests/s', 'the small one', same),
        ],
        goals: [
          atLeast(`${goal}, different cursors`, 0.85, ratioOf(different, 1)),
          atLeast(`${goal}, again and again`, 0.85, ratioOf(same, 1)),
        ],
      };
    }),
  );
}
