import { KeyrosterError } from './errors.ts';
import { type ListedKey, timeOf, workspaceOf } from './listed-key.ts';
import type { ListParameters } from './parameters.ts';

export type FilterName = Exclude<keyof ListParameters, 'limit' | 'after_id' | 'before_id'>;

/** Whether a record passes; `undefined`: it doesn't tell. */
type Check = (record: ListedKey, value: string) => boolean | undefined;

const checks: Readonly<Record<FilterName, Check>> = {
  status: ({ status }, value) => hasStatus(status, value),
  workspace_id: (record, value) => isText(workspaceOf(record), value),
  created_by_user_id: ({ created_by }, value) => isText(Object(created_by).id, value),
  created_from: ({ created_at }, value) => isNotBefore(created_at, value),
  created_before: ({ created_at }, value) => not(isNotBefore(created_at, value)),
};
const NAMES = Object.keys(checks) as FilterName[];

const not = (passes: boolean | undefined) => (passes === undefined ? undefined : !passes);
const isText = (text: unknown, value: string) => (text === undefined ? undefined : text === value);

function isNotBefore(createdAt: unknown, value: string): boolean | undefined {
  const [time, bound] = [timeOf(createdAt), timeOf(value)];
  return Number.isNaN(time) || Number.isNaN(bound) ? undefined : time >= bound;
}

const KNOWN: Readonly<Record<NonNullable<ListParameters['status']> | 'expired', true>> = {
  active: true,
  inactive: true,
  archived: true,
  expired: true,
};

/** A status that the filter doesn't have may count as any. But `expired` is that of active keys whose time is over. */
export function hasStatus(status: unknown, value: string): boolean | undefined {
  if (status === value || (status === 'expired' && value === 'active')) return true;
  return Object.hasOwn(KNOWN, String(status)) ? false : undefined;
}

/** The records that pass all filters, or may; the filters by which others don't, and those that one of the records can't show. */
export function checkFilters<Record extends ListedKey>(records: Record[], parameters: ListParameters) {
  const failed = new Set<FilterName>();
  const untold = new Set<FilterName>();
  const asked = NAMES.filter(name => parameters[name] !== undefined);
  if (asked.length === 0) return { passing: records, failed, untold };
  const passing = records.filter(record => {
    const namesOf = (verdict: boolean | undefined) =>
      asked.filter(name => checks[name](record, String(parameters[name])) === verdict);
    const out = namesOf(false);
    for (const name of out) failed.add(name);
    if (out.length === 0) for (const name of namesOf(undefined)) untold.add(name);
    return out.length === 0;
  });
  return { passing, failed, untold };
}

/** What a message in the form of Keyroster says of a parameter that the service doesn't have, and not of a value. */
const NOT_THERE =
  /\b(?:unknown|un(?:supported|expected|recogni[sz]ed)|not (?:supported|permitted|allowed))\b/i;

/** The filters that the service may have refused: those that it names, or else all; none where it refused something else. */
export function refusedFilters(error: unknown, sent: ListParameters): readonly FilterName[] {
  const isRefusal = error instanceof KeyrosterError && (error.status === 400 || error.status === 422);
  if (!isRefusal) return [];
  const { message } = error;
  const names = NAMES.filter(name => sent[name] !== undefined);
  const named = names.filter(name => new RegExp(`\\b${name}\\b`).test(message));
  if (/^[a-z_, -]+: /.test(message)) return NOT_THERE.test(message) ? named : [];
  return named.length > 0 ? named : names;
}
