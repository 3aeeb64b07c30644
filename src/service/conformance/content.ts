/** The API keys that a check puts into a store: few, with fields that are drawn. */

import {
  type ApiKeyId,
  type CreatorId,
  type OrganizationId,
  parseKeyId,
  type WorkspaceId,
} from '../../shared/record/identifier.ts';
import type { PartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { parseTimestamp, type Timestamp } from '../../shared/record/timestamp.ts';
import type { ApiKey } from '../roster/api-key.ts';
import type { Content } from './model.ts';

/** Draws one of the values. */
export type Pick = <T>(values: readonly T[]) => T;

/** The same draws for the same seed, so that a check that fails fails again. */
export function seededPick(seed: number): Pick {
  let state = seed;
  return values => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // as in "Numerical Recipes"
    return values[Math.floor((state / 2 ** 32) * values.length)] as (typeof values)[number];
  };
}

export const WORKSPACES = ['wrkspc_a', 'wrkspc_b', null] as (WorkspaceId | null)[];
export const CREATORS = ['user_a', 'user_b'] as CreatorId[];

/** The values that are drawn where a rule has no others. */
const FIELDS = {
  /** A day, or a number of microseconds: some are equal in a store of milliseconds or seconds. */
  time: [0, 1, 1_000, 1_000_000] as (number | string)[],
  name: ['a name'],
  status: [...STATUSES],
  workspaceId: WORKSPACES,
  creatorId: CREATORS,
};

/** Which keys the organizations have. */
export interface Keys {
  readonly fields?: Partial<typeof FIELDS>;
  /** How many each organization has. */
  readonly sizes?: readonly number[];
  /** IDs of everything, instead of `sizes`. */
  readonly ids?: readonly string[];
}

/** With these IDs begin: they have another order in a language, and as numbers. */
const STARTS = ['a', 'B', 'c', '9', '_', '10', '-', 'D'];

/** Makes keys, of which no two have the same ID or hint. */
export function keyMaker({ fields, ids = [] }: Keys, pick: Pick): () => ApiKey {
  const values = { ...FIELDS, ...fields };
  let count = 0;
  return () => {
    const [number, id] = [count, ids[count++]];
    const [creator, workspace] = [id as CreatorId | undefined, id as WorkspaceId | undefined];
    return {
      id: parseKeyId(id) ?? (`key_${pick(STARTS)}${number}` as ApiKeyId), // no key has `null`, which a workspace may have
      name: values.name[number % values.name.length] as string,
      createdAt: timeOf(pick(values.time)),
      createdBy: { id: creator ?? pick(values.creatorId), type: number % 4 < 2 ? 'user' : 'service_account' },
      partialKeyHint: `sk-ven-api03-R2D...${String(number).padStart(4, '0')}` as PartialKeyHint,
      status: pick(values.status),
      workspaceId: workspace ? (number === 2 ? null : workspace) : pick(values.workspaceId),
    };
  };
}

/** Organizations of these sizes. The first request that fails is one of few keys. */
export function contentOf({ ids, sizes = [0, 1, 2, 3, 5, 9] }: Keys, keyOf: () => ApiKey): Content {
  // Of its IDs the first three are keys of the first organization, the fourth is one of the second, and no key has any other.
  const all = ids
    ? ids.map((id, at) => [id, [3, 1][at] ?? 0] as const)
    : sizes.map((size, at) => [`org_${at}`, size] as const);
  return new Map(all.map(([id, length]) => [id as OrganizationId, Array.from({ length }, keyOf)]));
}

export function timeOf(time: number | string): Timestamp {
  const [day, microseconds] = typeof time === 'number' ? ['2024-10-30', time] : [time, 0];
  return ((parseTimestamp(`${day}T23:58:27.427719Z`) ?? 0n) + BigInt(microseconds)) as Timestamp;
}
