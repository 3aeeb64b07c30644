import { seededPick } from '../../src/service/conformance/content.ts';

/** Whole numbers from 0 to below the given one: the same for the same seed. */
export function seededRandom(seed: number): (below: number) => number {
  const pick = seededPick(seed);
  return below => pick([...Array(below).keys()]);
}
