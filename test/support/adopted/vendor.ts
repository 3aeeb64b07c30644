import type { Client } from 'pg';
import { CREATORS, WORKSPACES } from '../../../src/service/conformance/content.ts';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { CREATOR_TYPES } from '../../../src/shared/record/api-key-record.ts';
import type { ApiKeyId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import { STATUSES } from '../../../src/shared/record/status.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { deleteKeys, putKeys, type VendorTable } from './vendor-table.ts';

const START = 1_700_000_000_000_000n;
/** Creation times that the first keys share. */
const TIMES = 40;

/** Writes one organization's API keys into its table, with IDs as the vendor gives them, and knows what the table has. */
export class Vendor {
  readonly #keys = new Map<ApiKeyId, ApiKey>();
  readonly #table: VendorTable;
  readonly #client: Client;
  readonly #organization: string;
  readonly #random: (below: number) => number;

  constructor(
    table: VendorTable,
    { client, organization }: { client: Client; organization: string },
    random: (below: number) => number,
  ) {
    this.#table = table;
    this.#client = client;
    this.#organization = organization;
    this.#random = random;
  }

  get keys(): readonly ApiKey[] {
    return [...this.#keys.values()];
  }

  get(id: ApiKeyId): ApiKey {
    return this.#keys.get(id) as ApiKey;
  }

  any(): ApiKey {
    return this.#pick(this.keys);
  }

  /** A key of the table that doesn't have it yet. */
  newKey(createdAt: bigint = START + BigInt(this.#random(TIMES)) * this.#table.tick): ApiKey {
    return {
      id: this.#table.newId() as ApiKeyId,
      name: this.#pick(['CI', 'Größe "2"', '鍵 🔑\n', '']),
      createdAt: createdAt as Timestamp,
      createdBy: { id: this.#pick(CREATORS), type: this.#pick(CREATOR_TYPES) },
      partialKeyHint: `sk_live_${this.#random(1_000)}...${this.#random(10_000)}` as PartialKeyHint,
      status: this.#pick(STATUSES),
      workspaceId: this.#pick(WORKSPACES),
    };
  }

  async put(...keys: ApiKey[]): Promise<void> {
    await putKeys(this.#client, this.#table, this.#organization, keys);
    for (const key of keys) this.#keys.set(key.id, key);
  }

  async insert(count: number): Promise<void> {
    await this.put(...Array.from({ length: count }, () => this.newKey()));
  }

  async delete(...ids: ApiKeyId[]): Promise<void> {
    await deleteKeys(this.#client, this.#table, ids);
    for (const id of ids) this.#keys.delete(id);
  }

  /** What vendors do to their rows while one is read from this cursor on: all but to change the cursor's time or to delete it. */
  async change(cursor: ApiKeyId): Promise<void> {
    const others = this.keys.filter(({ id }) => id !== cursor);
    await this.put(
      this.newKey(this.get(cursor).createdAt),
      this.newKey(),
      this.newKey(2n * START + BigInt(this.#keys.size) * this.#table.tick),
    );
    await this.put({ ...this.get(cursor), name: 'renamed', status: this.#pick(STATUSES) });
    await this.put({ ...this.#pick(others), status: this.#pick(STATUSES) });
    await this.delete(...new Set([this.#pick(others).id, this.#pick(others).id, this.#pick(others).id]));
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#random(values.length)] as T;
  }
}
