import type { ApiKeyRecord, KeyrosterClient } from '../client/client.ts';
import { LIMIT } from '../roster/list-query.ts';
import { parseApiKey, RECORD_PARTS } from '../roster/parse-api-key.ts';
import { printableName } from '../roster/printable-name.ts';
import type { ImportLine } from '../roster/roster.ts';

/** Names in a warning; the rest are counted, so that no service makes it grow without end. */
const MAX_NAMED = 20;

/** Fields that a service adds to the contract's record, each with how many records have it. */
export class DroppedFields {
  readonly #counts = new Map<string, number>();

  /** The record without them. Nothing else of it is changed: what it lacks, or has wrong, is for the import to refuse. */
  drop(record: ApiKeyRecord): unknown {
    const creator: unknown = record.created_by;
    const created_by = isObject(creator)
      ? this.#only(RECORD_PARTS.created_by, creator, 'created_by.')
      : creator;
    return this.#only(RECORD_PARTS.record, { ...record, created_by }, '');
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

  /** One line for all; `undefined` when nothing was dropped. */
  warning(): string | undefined {
    if (this.#counts.size === 0) return undefined;
    const named = [...this.#counts].slice(0, MAX_NAMED).map(([field, count]) => `${field} (${count} times)`);
    const more = this.#counts.size > MAX_NAMED ? ` and ${this.#counts.size - MAX_NAMED} more` : '';
    return `warning: fields that an API key record doesn't have were dropped: ${named.join(', ')}${more}`;
  }
}

/** The roster that another service of the contract lists, a batch a page. A line's number counts the records. */
export async function* serviceLines(
  client: KeyrosterClient,
  dropped: DroppedFields,
  progress: (records: number) => void,
): AsyncGenerator<readonly ImportLine[]> {
  let line = 0;
  for await (const { data } of client.apiKeys.pages({ limit: LIMIT.max })) {
    const batch = data.map((record): ImportLine => {
      line += 1;
      const parsed = parseApiKey(dropped.drop(record));
      return 'key' in parsed ? { line, ...parsed } : { line, ...parsed, source: JSON.stringify(record) };
    });
    progress(line);
    yield batch;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
