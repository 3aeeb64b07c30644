/** Whole numbers from 0 to below the given one: the same sequence for the same seed, so that a check that fails fails again. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
