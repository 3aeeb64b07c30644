import { atLeast, type Bench, requests, type Section, type Store } from '../bench.ts';
import { compare, ratioOf } from '../compare.ts';
import { comparison } from '../markdown.ts';
import { drawCursors } from '../roster/cursors.ts';
import { withService } from '../servers/service.ts';

/** Cursors come from a stretch of this share of the roster, so that both ends are equally likely to be in memory. */
const STRETCH = 0.02;
/** 900,000 of a million. */
export const DEEP = 0.9;

/** Draws from there on. */
export function cursorsFrom(depth: number, keys: number): readonly string[] {
  return drawCursors(keys, { from: depth, to: depth + Math.floor(keys * STRETCH) }).map(
    id => `after_id=${id}`,
  );
}

/** A page far into the roster against one at its beginning. */
export function measureDepth(bench: Bench, { file, secret }: Store): Promise<Section> {
  const { keys } = bench;
  const depth = Math.floor(keys * DEEP);
  const of = depth.toLocaleString('en');
  const stretch = (from: number) => () => cursorsFrom(from, keys);
  const one = (from: number) => () => cursorsFrom(from, keys).slice(0, 1);
  return withService(`sqlite:${file}`, secret, async service => {
    const different = await compare(bench, [
      requests(bench, 'a different cursor each time, near the first page', service, stretch(0)),
      requests(bench, `a different cursor each time, from depth ${of} on`, service, stretch(depth)),
    ]);
    const same = await compare(bench, [
      requests(bench, 'the first page again and again', service, () => ['']),
      requests(bench, `one page at depth ${of} again and again`, service, one(depth)),
    ]);
    return {
      title: 'Depth',
      lines: [
        ...comparison('requests/s', 'the beginning', different),
        '',
        ...comparison('requests/s', 'the first page', same),
      ],
      goals: [
        atLeast(`page at depth ${of} against the first page, different cursors`, 0.9, ratioOf(different, 1)),
        atLeast(`page at depth ${of} against the first page, again and again`, 0.9, ratioOf(same, 1)),
      ],
    };
  });
}
