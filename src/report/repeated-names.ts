import { hash } from 'node:crypto';

/** SHA-256. Nobody has ever found two texts with the same one, so equal digests are equal names. */
const DIGEST_BYTES = 32;

export interface RepeatedName {
  readonly name: string;
  readonly keys: number;
  readonly active: number;
}

/**
 * Which names stand more than once. A name may have 1,000 characters, and there may be a million: what is kept of each
 * is its digest and two counts, in flat memory, and the text only of those that come again. It is an open-addressed
 * hash table: `#places` holds, at a place that the digest gives, the number of an entry, from 1.
 */
export class RepeatedNames {
  #places = new Uint32Array(2048);
  #digests = new Uint8Array(1024 * DIGEST_BYTES);
  #keys = new Uint32Array(1024);
  #active = new Uint32Array(1024);
  #entries = 0;
  readonly #names = new Map<number, string>();

  add(name: string, active: boolean): void {
    const digest = hash('sha256', name, 'buffer');
    const place = this.#placeOf(digest);
    const known = this.#places[place] ?? 0;
    const entry = known > 0 ? known - 1 : this.#append(digest, place);
    this.#keys[entry] = (this.#keys[entry] ?? 0) + 1;
    if (active) this.#active[entry] = (this.#active[entry] ?? 0) + 1;
    if (known > 0) this.#names.set(entry, name);
  }

  /** Those of the most keys first. */
  found(): RepeatedName[] {
    const names = Array.from(this.#names, ([entry, name]) => ({
      name,
      keys: this.#keys[entry] ?? 0,
      active: this.#active[entry] ?? 0,
    }));
    return names.sort((a, b) => b.keys - a.keys || b.active - a.active || (a.name < b.name ? -1 : 1));
  }

  /** Where this digest is, or belongs. */
  #placeOf(digest: Uint8Array): number {
    const mask = this.#places.length - 1;
    for (let place = firstPlace(digest) & mask; ; place = (place + 1) & mask) {
      const entry = this.#places[place] ?? 0;
      if (entry === 0 || Buffer.compare(this.#digestOf(entry - 1), digest) === 0) return place;
    }
  }

  #digestOf(entry: number): Uint8Array {
    return this.#digests.subarray(entry * DIGEST_BYTES, (entry + 1) * DIGEST_BYTES);
  }

  #append(digest: Uint8Array, place: number): number {
    const entry = this.#entries++;
    this.#digests.set(digest, entry * DIGEST_BYTES);
    this.#places[place] = this.#entries;
    if (this.#entries === this.#keys.length) this.#grow();
    return entry;
  }

  /** At most half of the places are taken, so that the next free one is near. */
  #grow(): void {
    this.#digests = doubled(this.#digests);
    this.#keys = doubled(this.#keys);
    this.#active = doubled(this.#active);
    this.#places = new Uint32Array(this.#places.length * 2);
    for (let entry = 0; entry < this.#entries; entry++)
      this.#places[this.#placeOf(this.#digestOf(entry))] = entry + 1;
  }
}

const firstPlace = (digest: Uint8Array) => new DataView(digest.buffer, digest.byteOffset).getUint32(0);

function doubled<T extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(array: T): T {
  const Constructor = array.constructor as new (length: number) => T;
  const larger = new Constructor(array.length * 2);
  larger.set(array);
  return larger;
}
