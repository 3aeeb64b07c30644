import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ApiKey } from '../client/client.ts';
import type { Policy } from './policies.ts';

export interface Breach {
  /** The policy's name. */
  readonly policy: string;
  readonly api_key: ApiKey;
}

const BATCH = 500;

/**
 * Every breach of a policy, in the order of the walk. They are printed after the figures and may be as many as there
 * are keys, so they wait in a temporary file. It has no name from the start, where the system allows that, so it goes
 * with the process however that ends.
 */
export class Breaches {
  readonly #policies: readonly Policy[];
  readonly #counts = new Map<Policy, number>();
  #file: number | undefined;

  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
  }

  add(keys: readonly { readonly key: ApiKey; readonly ageMs: number }[]): void {
    const lines: string[] = [];
    for (const policy of this.#policies) {
      for (const { key, ageMs } of keys) {
        if (!policy.breaks(key, ageMs)) continue;
        this.#counts.set(policy, this.count(policy) + 1);
        lines.push(lineOf({ policy: policy.name, api_key: key }));
      }
    }
    if (lines.length === 0) return;
    this.#file ??= namelessFile();
    writeSync(this.#file, lines.join(''));
  }

  count(policy: Policy): number {
    return this.#counts.get(policy) ?? 0;
  }

  get total(): number {
    return this.#policies.reduce((sum, policy) => sum + this.count(policy), 0);
  }

  /** All of them, in batches that aren't empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Breach[]> {
    if (this.#file === undefined) return;
    const input = createReadStream('', { fd: this.#file, start: 0, autoClose: false });
    let batch: Breach[] = [];
    for await (const line of createInterface({ input })) {
      batch.push(JSON.parse(line));
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** `node:readline` also ends a line at these two, which JSON leaves as they are. */
function lineOf(breach: Breach): string {
  return `${JSON.stringify(breach).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

function namelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-report-'));
  const file = openSync(join(folder, 'breaches'), 'wx+', 0o600);
  rmSync(folder, { recursive: true, force: true });
  return file;
}
