import type { ApiKeyRecord } from '../../client/client.ts';
import { unreadableFields } from '../../formats/unreadable-fields.ts';
import { Refused } from '../../roster/errors.ts';
import { printAtEnd } from '../terminal/print.ts';

/** Stands for a text that a record lacks. It can't be mistaken for an ID: those have no parentheses. */
export const UNKNOWN = '(unknown)';

/** What a record can't be listed without. */
const NEEDED: readonly string[] = ['id', 'created_at'];

/** Records as they came, by those that stand for them. */
const received = new WeakMap<ApiKeyRecord, ApiKeyRecord>();

/** The record as it came, for JSON. */
export function asItCame(record: ApiKeyRecord): ApiKeyRecord {
  return received.get(record) ?? record;
}

/**
 * Reads records that may not keep to docs/api.md#the-record, such as those of another service: it shows what it can, and counts
 * what it can't. Statuses and fields that are unknown here are shown too: a newer service has them.
 */
export class RecordReader {
  #records = 0;
  readonly #unreadable = new Map<string, number>();

  /** The records with `(unknown)` for each text that isn't there. Throws `Refused` where one has no ID or no `created_at`. */
  read(records: readonly ApiKeyRecord[]): ApiKeyRecord[] {
    this.#records += records.length;
    return records.map(record => {
      const fields = unreadableFields(record);
      return fields.length === 0 ? record : this.#readable(record, fields);
    });
  }

  /** Says, once all is printed, how many of the records read had which field unreadable. */
  printWarning(): void {
    if (this.#unreadable.size === 0) return;
    const counts = Array.from(
      this.#unreadable,
      ([field, count]) => `${field} in ${count.toLocaleString('en')}`,
    );
    const all = this.#records.toLocaleString('en');
    printAtEnd(
      `warning: of ${all} record(s), some have fields that can't be read, shown as ${UNKNOWN}: ${counts.join(', ')}`,
    );
  }

  #readable(record: ApiKeyRecord, fields: readonly string[]): ApiKeyRecord {
    const needed = fields.find(field => NEEDED.includes(field));
    if (needed !== undefined)
      throw new Refused(`${record.id ?? 'a record'} has no ${needed} that is a text: it can't be listed`);
    const { created_by } = record;
    const readable: Record<string, unknown> = {
      ...record,
      created_by: { id: created_by?.id, type: created_by?.type },
    };
    for (const field of fields) {
      this.#unreadable.set(field, (this.#unreadable.get(field) ?? 0) + 1);
      const [name = '', part] = field.split('.');
      if (part === undefined) readable[name] = UNKNOWN;
      else (readable.created_by as Record<string, unknown>)[part] = UNKNOWN;
    }
    received.set(readable as unknown as ApiKeyRecord, record);
    return readable as unknown as ApiKeyRecord;
  }
}
