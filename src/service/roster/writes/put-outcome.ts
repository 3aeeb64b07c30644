import type { Fault, Refused, RefusedFault } from '../../../shared/record/faults.ts';
import type { ApiKeyId } from '../../../shared/record/identifier.ts';
import { type ApiKey, recordOf, renderApiKey } from '../api-key.ts';
import { type DeclaredField, valuesNow } from '../declared-fields.ts';
import { changeFaults, FIELDS_CHANGED, refusedWrite } from './refusals.ts';

/** What putting an API key did, or the faults for which it was refused. */
export type PutOutcome = { readonly result: keyof PutCounts } | { readonly faults: readonly Fault[] };

/** API keys that can be read only when it is known which fields are declared. */
export interface UnreadKeys {
  /** The ID where it is one key. */
  readonly onlyId: ApiKeyId | null;
  /** Throws `Refused`. */
  read(fields: readonly DeclaredField[]): readonly ApiKey[];
}

export type KeysToPut = readonly ApiKey[] | UnreadKeys;

export function keysBy(keys: KeysToPut, fields: readonly DeclaredField[]): readonly ApiKey[] {
  return 'read' in keys ? keys.read(fields) : keys;
}

/** The key with a value for each field that is declared now; `null`: it has one of a field that isn't. */
export function withFields(key: ApiKey, fields: readonly DeclaredField[]): ApiKey | null {
  if (fields.length === 0 && key.declared === undefined) return key;
  const declared = valuesNow(key.declared, fields);
  return declared === undefined ? null : { ...key, declared };
}

/** Of a key for which `withFields` is `null`. */
export const FIELD_IS_GONE: PutOutcome = { faults: [FIELDS_CHANGED] };

/** @param before the record that is stored under the key's ID, with the declared fields that the key has. */
export function putOutcome(before: string | undefined, key: ApiKey): PutOutcome {
  if (before === undefined) return { result: 'inserted' };
  if (before === renderApiKey(key)) return { result: 'unchanged' };
  const faults = changeFaults(JSON.parse(before), recordOf(key));
  return faults.length > 0 ? { faults } : { result: 'updated' };
}

/** Of a key of an organization that can't be written, for which a put is refused. */
export function organizationRefused({ message }: Refused): PutOutcome {
  return { faults: [{ field: 'organization_id', problem: message }] };
}

export function countOutcomes(outcomes: readonly PutOutcome[]): ImportCounts {
  const counts = { inserted: 0, updated: 0, unchanged: 0, refused: 0 };
  for (const outcome of outcomes) counts['result' in outcome ? outcome.result : 'refused'] += 1;
  return counts;
}

/** The counts of a put of all these keys or none. Throws one `Refused` for all that are refused. */
export function putCounts(keys: readonly Pick<ApiKey, 'id'>[], outcomes: readonly PutOutcome[]): PutCounts {
  const faults = outcomes.flatMap((outcome, index): RefusedFault[] => {
    const id = keys[index]?.id ?? null;
    return 'faults' in outcome ? outcome.faults.map(fault => ({ ...fault, index, id })) : [];
  });
  if (faults.length > 0) throw refusedWrite(faults);
  const { inserted, updated, unchanged } = countOutcomes(outcomes);
  return { inserted, updated, unchanged };
}

/** The number of lines with each outcome. */
export interface ImportCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** The same of the keys of a put. */
export type PutCounts = Omit<ImportCounts, 'refused'>;

/** How many were changed by a write, and how many were so already. */
export interface StatusCounts {
  readonly changed: number;
  readonly unchanged: number;
}
