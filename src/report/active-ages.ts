import { isOlder } from './age.ts';

const CHUNK_SIZE = 4_096;

/**
 * The age of every active key, so that those older than any threshold can be counted exactly. They come in any order. Each
 * full chunk is sorted by itself, so no step takes longer with more keys than a search of each chunk.
 */
export class ActiveAges {
  /** Sorted, each. */
  readonly #full: Float64Array[] = [];
  #chunk = new Float64Array(CHUNK_SIZE);
  #used = 0;

  add(ageMs: number): void {
    this.#chunk[this.#used++] = ageMs;
    if (this.#used < CHUNK_SIZE) return;
    this.#full.push(this.#chunk.sort());
    this.#chunk = new Float64Array(CHUNK_SIZE);
    this.#used = 0;
  }

  olderThan(thresholdMs: number): number {
    const older = this.#chunk.subarray(0, this.#used).filter(ageMs => isOlder(ageMs, thresholdMs)).length;
    return this.#full.reduce((sum, chunk) => sum + CHUNK_SIZE - firstOlder(chunk, thresholdMs), older);
  }
}

/** The index of the first age that is older, in ages that are sorted. */
function firstOlder(ages: Float64Array, thresholdMs: number): number {
  let [low, high] = [0, ages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isOlder(ages[middle] as number, thresholdMs)) high = middle;
    else low = middle + 1;
  }
  return low;
}
