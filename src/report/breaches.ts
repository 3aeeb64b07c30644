import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiKeyRecord } from '../client/client.ts';
import type { Policy } from './policies.ts';

export interface Breach {
  /** The policy's name. */
  readonly policy: string;
  readonly api_key: ApiKeyRecord;
}

const BATCH_SIZE = 500;

/**
 * Every breach of a policy, in the order of the walk. They are printed after the figures. There may be as many as there are keys,
 * with names of 1,000 characters, so they wait in a temporary file and not in memory.
 */
export class Breaches {
  readonly #policies: readonly Policy[];
  readonly #counts = new Map<Policy, number>();
  #file: number | undefined;
  /** Bytes of each batch in the file, one behind the other. */
  readonly #lengths: number[] = [];
  /** Not yet in the file. */
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
    const bytes = Buffer.from(JSON.stringify(this.#batch));
    this.#file ??= openUnlinkedFile();
    writeFileSync(this.#file, bytes); // appends: the file is open
    this.#lengths.push(bytes.length);
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
    let position = 0;
    for (const length of this.#lengths) {
      const bytes = Buffer.alloc(length);
      readSync(this.#file as number, bytes, { position });
      yield JSON.parse(bytes.toString());
      position += length;
    }
    if (this.#batch.length > 0) yield this.#batch;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** Its name is removed at once, where the system allows that, so that nothing of it stays however the process ends. */
function openUnlinkedFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-report-'));
  const file = openSync(join(folder, 'breaches'), 'wx+', 0o600);
  rmSync(folder, { recursive: true, force: true });
  return file;
}
