import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ApiKeyRecord } from '../client/client.ts';
import type { Policy } from './policies.ts';

export interface Breach {
  /** The policy's name. */
  readonly policy: string;
  readonly api_key: ApiKeyRecord;
}

const BATCH_SIZE = 500;

/**
 * Every breach of a policy, in the order of the walk. They are printed after the figures, and there may be as many as
 * there are keys, so they are kept as compressed JSON: about 50 bytes each.
 */
export class Breaches {
  readonly #policies: readonly Policy[];
  readonly #counts = new Map<Policy, number>();
  readonly #compressed: Uint8Array[] = [];
  /** Not yet compressed. */
  #batch: Breach[] = [];

  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
  }

  add(keys: readonly { readonly key: ApiKeyRecord; readonly ageMs: number }[]): void {
    for (const policy of this.#policies) {
      for (const { key, ageMs } of keys) {
        if (!policy.breaks(key, ageMs)) continue;
        this.#counts.set(policy, this.count(policy) + 1);
        this.#batch.push({ policy: policy.name, api_key: key });
      }
    }
    if (this.#batch.length < BATCH_SIZE) return;
    const compressed = deflateRawSync(JSON.stringify(this.#batch), { level: 1 });
    this.#compressed.push(new Uint8Array(compressed)); // a copy: zlib's result keeps a larger buffer in memory
    this.#batch = [];
  }

  count(policy: Policy): number {
    return this.#counts.get(policy) ?? 0;
  }

  get total(): number {
    return this.#policies.reduce((sum, policy) => sum + this.count(policy), 0);
  }

  /** All breaches, in batches that aren't empty. */
  *[Symbol.iterator](): Generator<readonly Breach[]> {
    for (const batch of this.#compressed) yield JSON.parse(inflateRawSync(batch).toString());
    if (this.#batch.length > 0) yield this.#batch;
  }
}
