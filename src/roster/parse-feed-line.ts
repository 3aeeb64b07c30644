import type { DeclaredField } from './declared-fields.ts';
import type { Fault } from './errors.ts';
import { Fields, isObject } from './fields.ts';
import { ID_RULE, type OrganizationId, parseId } from './identifier.ts';
import { parseApiKey } from './parse-api-key.ts';
import type { FeedLine } from './roster.ts';

/** A line of a feed, or all faults of its record, at least one. */
export type ParsedFeedLine = FeedLine | { readonly faults: readonly Fault[] };

/** Parses a record with one more field, `organization_id`. */
export function parseFeedLine(value: unknown, fields: readonly DeclaredField[]): ParsedFeedLine {
  if (!isObject(value)) return { faults: [{ field: null, problem: 'must be an object' }] };
  const { organization_id, ...record } = value;
  const faults: Fault[] = [];
  const organization = new Fields({ organization_id }, '', faults);
  const organizationId = organization.read('organization_id', parseId<OrganizationId>, ID_RULE);
  const parsed = parseApiKey(record, fields);
  if ('faults' in parsed) faults.push(...parsed.faults);
  return 'key' in parsed && faults.length === 0 ? { organizationId, key: parsed.key } : { faults };
}
