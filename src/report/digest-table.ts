/** Of a digest, as numbers of 32 bits. No two texts are known whose SHA-256 digests agree in so many bits. */
const WORDS = 4;
/** The words of a digest, and its number, to which 1 is added: 0 is a free slot. */
const SLOT = WORDS + 1;
/** With 1,000,000 entries each has about 4,000, which grow in a fraction of a millisecond. */
const SHARDS = 256;
const FIRST_SLOTS = 16;

/**
 * A number for each digest. A `Map` of a million strings would do, but each garbage collection walks all of them, which stops the
 * thread for longer than a frame; it doesn't look into these arrays.
 */
export class DigestTable {
  readonly #shards = Array.from({ length: SHARDS }, () => new Shard());
  readonly #words = new Uint32Array(WORDS);

  get(digest: Uint8Array): number | undefined {
    return this.#shardOf(digest).get(this.#words);
  }

  set(digest: Uint8Array, number: number): void {
    this.#shardOf(digest).set(this.#words, number);
  }

  /** Also reads the digest into `#words`. */
  #shardOf(digest: Uint8Array): Shard {
    const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    for (let word = 0; word < WORDS; word++) this.#words[word] = view.getUint32(4 * word);
    return this.#shards[(digest[0] as number) % SHARDS] as Shard;
  }
}

/** Open addressing: a digest is in the first slot from its own on that is free or has it. */
class Shard {
  #slots = new Uint32Array(FIRST_SLOTS * SLOT);
  #used = 0;

  get(words: Uint32Array): number | undefined {
    const number = this.#slots[this.#offsetOf(words) + WORDS] as number;
    return number === 0 ? undefined : number - 1;
  }

  set(words: Uint32Array, number: number): void {
    const offset = this.#offsetOf(words);
    const isNew = this.#slots[offset + WORDS] === 0;
    this.#slots.set(words, offset);
    this.#slots[offset + WORDS] = number + 1;
    if (!isNew) return;
    this.#used += 1;
    if (4 * this.#used * SLOT > 3 * this.#slots.length) this.#grow();
  }

  #offsetOf(words: Uint32Array): number {
    const mask = this.#slots.length / SLOT - 1;
    let slot = (words[1] as number) & mask;
    while (!this.#isFreeOr(words, slot * SLOT)) slot = (slot + 1) & mask;
    return slot * SLOT;
  }

  #isFreeOr(words: Uint32Array, offset: number): boolean {
    if (this.#slots[offset + WORDS] === 0) return true;
    for (let word = 0; word < WORDS; word++) if (this.#slots[offset + word] !== words[word]) return false;
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    for (let offset = 0; offset < before.length; offset += SLOT) {
      const slot = before.subarray(offset, offset + SLOT);
      if (slot[WORDS] !== 0) this.#slots.set(slot, this.#offsetOf(slot));
    }
  }
}
