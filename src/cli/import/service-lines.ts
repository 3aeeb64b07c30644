import type { ApiKeyRecord, KeyrosterClient } from '../../client/client.ts';
import { CREATOR_FIELDS, RECORD_FIELDS } from '../../roster/api-key-record.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { printableName } from '../../roster/fields.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import type { ImportLine } from '../../roster/imports.ts';
import { LIMIT } from '../../roster/list-query.ts';
import { parseApiKey } from '../../roster/parse-api-key.ts';
import { Waits, waitedPages } from '../service/waits.ts';
import type { ProgressBar } from '../terminal/progress-bar.ts';

/** Max names in a warning. Further ones are only counted, so that no service makes it grow without bound. */
const MAX_NAMED = 20;

/** Drops the fields that a service adds to the record (docs/api.md#the-record), and counts the records that have each. */
export class DroppedFields {
  readonly #counts = new Map<string, number>();

  /** The record with its declared fields, and without unknown ones. Missing fields and wrong values are left for the import to refuse. */
  drop(record: ApiKeyRecord, fields: readonly DeclaredField[]): unknown {
    const creator: unknown = record.created_by;
    const created_by = isObject(creator) ? this.#only(CREATOR_FIELDS, creator, 'created_by.') : creator;
    const known = [...RECORD_FIELDS, ...fields.map(({ name }) => name)];
    return this.#only(known, { ...record, created_by }, '');
  }

  #only(known: readonly string[], object: object, path: string): object {
    const kept: [string, unknown][] = [];
    for (const [name, value] of Object.entries(object)) {
      if (known.includes(name)) kept.push([name, value]);
      else this.#count(path + printableName(name));
    }
    return Object.fromEntries(kept);
  }

  #count(field: string): void {
    this.#counts.set(field, (this.#counts.get(field) ?? 0) + 1);
  }

  /** One line; `undefined` when nothing was dropped. */
  warning(): string | undefined {
    if (this.#counts.size === 0) return undefined;
    const named = [...this.#counts].slice(0, MAX_NAMED).map(([field, count]) => `${field} (${count} times)`);
    const more = this.#counts.size > MAX_NAMED ? ` and ${this.#counts.size - MAX_NAMED} more` : '';
    return `warning: dropped unknown fields: ${named.join(', ')}${more}`;
  }
}

/** The roster of another service, one batch per page. A line's number is that of the record, from 1. */
export async function* serviceLines(
  client: KeyrosterClient,
  organizationId: OrganizationId,
  { dropped, fields }: { dropped: DroppedFields; fields: readonly DeclaredField[] },
  bar: ProgressBar,
): AsyncGenerator<readonly ImportLine[]> {
  let line = 0;
  for await (const { data } of waitedPages(client, { limit: LIMIT.max }, new Waits(bar))) {
    const batch = data.map((record): ImportLine => {
      line += 1;
      const parsed = parseApiKey(dropped.drop(record, fields), fields);
      if ('key' in parsed) return { line, organizationId, ...parsed };
      return { line, organizationId, ...parsed, source: JSON.stringify(record) };
    });
    bar.draw(undefined, 'reading', line);
    yield batch;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
