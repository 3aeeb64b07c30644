import { compare, ratioOf } from '../results/compare.ts';
import { atLeast, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';

/** The share of the roster that cursors are drawn from, the same at both depths: both are equally likely to be in memory. */
const RANGE = 0.02;
/** The share of the roster that is newer than a deep page: 900,000 of 1,000,000 keys. */
const DEEP = 0.9;

/** Query strings with cursors from this depth on. */
function cursorsFrom(depth: number, keys: number): readonly string[] {
  return drawCursors(keys, { from: depth, to: depth + Math.floor(keys * RANGE) }).map(id => `after_id=${id}`);
}

/** A deep page against the first one. */
export function measureDepth(bench: Bench, { file, secret }: SqliteStore): Promise<Section> {
  const { keys } = bench;
  const depth = Math.floor(keys * DEEP);
  const depthText = depth.toLocaleString('en');
  const cursorsAt = (from: number) => () => cursorsFrom(from, keys);
  const oneCursorAt = (from: number) => () => cursorsFrom(from, keys).slice(0, 1);
  return withService(`sqlite:${file}`, secret, async service => {
    const different = await compare(bench, [
      requests(bench, 'a different cursor each time, near the first page', service, cursorsAt(0)),
      requests(bench, `a different cursor each time, from depth ${depthText} on`, service, cursorsAt(depth)),
    ]);
    const same = await compare(bench, [
      requests(bench, 'the first page again and again', service, () => ['']),
      requests(bench, `one page at depth ${depthText} again and again`, service, oneCursorAt(depth)),
    ]);
    return {
      title: 'Depth',
      about: `Pages from depth ${depthText} on, against the first ones.`,
      goals: [
        atLeast('deep pages, a different cursor each time', 0.9, ratioOf(different, 1)),
        atLeast('a deep page again and again', 0.9, ratioOf(same, 1)),
      ],
    };
  });
}
