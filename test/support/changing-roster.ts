/** Model of a roster that changes while it is read. */

import { modelPage as pageOf } from '../../src/service/conformance/model.ts';
import { type ApiKey, renderApiKey } from '../../src/service/roster/api-key.ts';
import type { Filter } from '../../src/shared/record/filters.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../src/shared/record/identifier.ts';
import type { ListQuery } from '../../src/shared/record/list-query.ts';
import type { PartialKeyHint } from '../../src/shared/record/partial-key-hint.ts';
import type { Timestamp } from '../../src/shared/record/timestamp.ts';

export const WORKSPACES = ['wrkspc_a', 'wrkspc_b', null] as (WorkspaceId | null)[];
export const CREATORS = ['user_a', 'user_b'] as CreatorId[];

export const START = 1_700_000_000_000_000n;
const pick = <T>(values: readonly T[], number: number) => values[number % values.length] as T;

/** Keys in every combination of status, workspace and creator; each three of them share a timestamp. */
export function firstKeys(count: number): ApiKey[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `first_${number}` as ApiKeyId,
    name: 'first',
    createdAt: (START + BigInt(Math.floor(number / 3))) as Timestamp,
    createdBy: { id: pick(CREATORS, number), type: 'user' },
    partialKeyHint: 'sk-first...0000' as PartialKeyHint,
    status: pick(['active', 'active', 'inactive', 'archived'], Math.floor(number / 6)),
    workspaceId: pick(WORKSPACES, Math.floor(number / 2)),
  }));
}

/** The API keys of the store once every batch returned so far is committed. */
export class ChangingRoster {
  readonly #keys: Map<ApiKeyId, ApiKey>;
  #batches = 0;

  constructor(first: readonly ApiKey[]) {
    this.#keys = new Map(first.map(key => [key.id, key]));
  }

  keys(): ApiKey[] {
    return [...this.#keys.values()];
  }

  get(id: ApiKeyId): ApiKey {
    return this.#keys.get(id) as ApiKey;
  }

  /** IDs of the matching keys, newest first; with a cursor, only those newer than that key. */
  matching(
    filter: Filter,
    before: ApiKeyId | null = null,
    restrictions: Pick<ListQuery, 'created' | 'scope'> = {},
  ): ApiKeyId[] {
    const cursor = before === null ? null : ({ direction: 'before', id: before } as const);
    return (
      modelPage(this.keys(), { filter, cursor, limit: Infinity, ...restrictions })?.data.map(
        ({ id }) => id,
      ) ?? []
    );
  }

  /** These IDs in roster order, without duplicates. */
  inOrder(ids: readonly ApiKeyId[]): ApiKeyId[] {
    const wanted = new Set(ids);
    return this.matching({}).filter(id => wanted.has(id));
  }

  /**
   * The next batch of changes, aimed at a reader whose cursor is this key: it adds keys that match the filter right before
   * the key, right after it and as the newest of all, renames the key and another one, and archives one. No key leaves
   * `archived` or changes its workspace, so a key that matches before and after a walk matched throughout.
   */
  nextBatch(at: ApiKeyId, filter: Filter): ApiKey[] {
    const number = this.#batches++;
    const keys = this.keys();
    const renamed = (key: ApiKey) => ({ ...key, name: `renamed ${number}` });
    return this.change([
      this.#newKey(`zz_${number}`, this.get(at).createdAt, filter), // among equal times the greatest ID comes first
      this.#newKey(`aa_${number}`, this.get(at).createdAt, filter),
      this.#newKey(`new_${number}`, (2n * START + BigInt(number)) as Timestamp, filter),
      renamed(this.get(at)),
      renamed(pick(keys, number * 5)),
      { ...pick(keys, number * 7 + 1), status: 'archived' },
    ]);
  }

  /** Applies the changes and returns them as a batch without duplicates. */
  change(changed: readonly ApiKey[]): ApiKey[] {
    const batch = new Map(changed.map(key => [key.id, key]));
    for (const key of batch.values()) this.#keys.set(key.id, key);
    return [...batch.values()];
  }

  #newKey(id: string, createdAt: Timestamp, { status, workspaceId, creatorId }: Filter): ApiKey {
    return {
      id: id as ApiKeyId,
      name: 'new',
      createdAt,
      createdBy: { id: creatorId ?? pick(CREATORS, this.#batches), type: 'user' },
      partialKeyHint: 'sk-new...0000' as PartialKeyHint,
      status: status ?? pick(['active', 'inactive'], this.#batches),
      workspaceId: workspaceId ?? pick(WORKSPACES, this.#batches),
    };
  }
}

/** The page that the reference model has, as the service answers it. `null`: unknown cursor. */
export function modelPage(roster: readonly ApiKey[], query: ListQuery) {
  const page = pageOf(roster, query);
  return (
    page && {
      data: page.keys.map(key => JSON.parse(renderApiKey(key))),
      first_id: page.keys[0]?.id ?? null,
      last_id: page.keys.at(-1)?.id ?? null,
      has_more: page.hasMore,
    }
  );
}
