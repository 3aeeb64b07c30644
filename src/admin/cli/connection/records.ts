import type { ApiKeyRecord } from '../../../client/client.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { readableRecord, UNKNOWN, unreadableFields } from '../../report/readable-record.ts';

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
      if (fields.length === 0) return record;
      const needed = fields.find(field => field === 'id' || field === 'created_at');
      if (needed !== undefined)
        throw new Refused(`${record.id ?? 'a record'} has no ${needed} that is a text: it can't be listed`);
      for (const field of fields) this.#unreadable.set(field, (this.#unreadable.get(field) ?? 0) + 1);
      return readableRecord(record, fields);
    });
  }

  /** Says, once all is printed, how many of the records read had which field unreadable. */
  printWarning(): void {
    if (this.#unreadable.size === 0) return;
    const number = (count: number) => count.toLocaleString('en');
    const counts = Array.from(this.#unreadable, ([field, count]) => `${field} in ${number(count)}`);
    printAtEnd(
      `warning: of ${number(this.#records)} record(s), some have fields that can't be read, shown as ${UNKNOWN}: ${counts.join(', ')}`,
    );
  }
}
