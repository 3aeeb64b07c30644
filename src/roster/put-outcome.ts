import type { ApiKey } from './api-key.ts';
import { recordOf, renderApiKey } from './api-key-record.ts';
import type { ImportCounts, PutCounts } from './counts.ts';
import type { Fault, Refused, RefusedFault } from './errors.ts';
import { changeFaults, refusedWrite } from './refusals.ts';

/** What putting an API key did, or the faults for which it was refused. */
export type PutOutcome = { readonly result: keyof PutCounts } | { readonly faults: readonly Fault[] };

/** @param before the record that is stored under the key's ID. */
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
export function putCounts(keys: readonly ApiKey[], outcomes: readonly PutOutcome[]): PutCounts {
  const faults = outcomes.flatMap((outcome, index): RefusedFault[] => {
    const id = keys[index]?.id ?? null;
    return 'faults' in outcome ? outcome.faults.map(fault => ({ ...fault, index, id })) : [];
  });
  if (faults.length > 0) throw refusedWrite(faults);
  const { inserted, updated, unchanged } = countOutcomes(outcomes);
  return { inserted, updated, unchanged };
}
