import { type ListedKey, timeOf, workspaceOf } from '../../client/listed-key.ts';
import { declaredText } from '../../shared/formats/render-csv.ts';
import type { Status } from '../../shared/record/status.ts';

/** How a key may differ, in the order in which the differences of one key stand. */
export const KINDS = [
  'added',
  'gone',
  'activated',
  'deactivated',
  'archived',
  'renamed',
  'moved',
  'changed',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Change {
  readonly kind: Kind;
  readonly id: string;
  /** Its name now, or its last one. */
  readonly name: string;
  /** As in CSV; `null`: the whole record, of a key that is added or gone. */
  readonly field: string | null;
  readonly old: unknown;
  readonly new: unknown;
  /** Of a key whose status has changed: when it expires, as far as that is known. */
  readonly expires_at?: unknown;
}

const kindOfStatus: Readonly<Record<Status, Kind>> = {
  active: 'activated',
  inactive: 'deactivated',
  archived: 'archived',
};

/** `old` or `current` is `null` where the key isn't in that roster; it is in one of them. */
export function changesOf(old: ListedKey | null, current: ListedKey | null): Change[] {
  const { id, name } = (current ?? old) as ListedKey;
  if (!old || !current) return [{ kind: old ? 'gone' : 'added', id, name, field: null, old, new: current }];
  const [before, now] = [valuesOf(old), valuesOf(current)];
  const fields = [...new Set([...before.keys(), ...now.keys()])];
  return fields
    .filter(field => !isSame(field, before.get(field), now.get(field)))
    .map(field => {
      const values = { old: before.get(field) ?? null, new: now.get(field) ?? null };
      const change = { kind: kindOf(field, values.new), id, name, field, ...values };
      return field === 'status' && 'expires_at' in current
        ? { ...change, expires_at: current.expires_at }
        : change;
    })
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.field < b.field ? -1 : 1));
}

function kindOf(field: string, value: unknown): Kind {
  if (field === 'name') return 'renamed';
  if (field === 'workspace_id') return 'moved';
  const isKnown = field === 'status' && Object.hasOwn(kindOfStatus, String(value));
  return isKnown ? kindOfStatus[value as Status] : 'changed';
}

/** Of a field that can change. A use of a key is no change of it. */
function valuesOf(record: ListedKey): Map<string, unknown> {
  const { id: _id, type: _type, last_used_at: _used, created_by, ...others } = record;
  const creator = Object.entries(created_by ?? {}).map(
    ([name, value]) => [`created_by.${name}`, value] as const,
  );
  const workspace = workspaceOf(record); // also where it is in a scope, which a newer version of a service has
  const where = workspace === undefined ? [] : [['workspace_id', workspace] as const];
  return new Map<string, unknown>([...where, ...Object.entries(others), ...creator]);
}

/** The fields that only `whole` has, which aren't compared: a field may be declared since. */
export function fieldsOnlyIn(whole: ListedKey, part: ListedKey): string[] {
  const others = valuesOf(part);
  return Array.from(valuesOf(whole).keys()).filter(field => others.get(field) === undefined);
}

/** CSV has texts only, and an empty one for none. */
function isSame(field: string, old: unknown, current: unknown): boolean {
  if (old === undefined || current === undefined) return true;
  if (valueText(old) === valueText(current)) return true;
  return field === 'created_at' && timeOf(old) === timeOf(current);
}

/** As in CSV: empty for none. */
export const valueText = (value: unknown) => declaredText({ value }, 'value');
