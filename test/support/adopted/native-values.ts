/**
 * The content of a suite as a vendor's table can have it. Suites give API keys IDs of text, the same ones in several
 * organizations, and creation times a microsecond apart. Where a table can't have those, they become others in the same order.
 */
import type { ApiKey } from '../../../src/roster/api-key.ts';
import type { ApiKeyId } from '../../../src/roster/identifier.ts';
import type { PageItem } from '../../../src/roster/page.ts';
import { formatTimestamp, parseTimestamp, type Timestamp } from '../../../src/roster/timestamp.ts';
import { LAST_POSITION, OrderKeeping, type Place, positionOf } from './order-keeping.ts';
import type { VendorTable } from './vendor-table.ts';

/** Makes the IDs of one organization's API keys, the number of which is given: each has an order of its own. */
export type MakeIds = (organization: number) => (id: string) => string;

export class NativeValues {
  readonly #table: VendorTable;
  readonly #organizations = new Map<string, OrganizationValues>();

  constructor(table: VendorTable) {
    this.#table = table;
  }

  /** The keys as rows of the table. */
  keys(organization: string, keys: readonly ApiKey[]): ApiKey[] {
    const own = this.#of(organization);
    // In order, so that all of them find a number however many there are.
    const ids = new Map(
      keys
        .map(({ id }) => id)
        .toSorted()
        .map(id => [id, own.nativeId(id)]),
    );
    const times = keys.map(({ createdAt }) => createdAt).toSorted((a, b) => (a < b ? -1 : 1));
    const nativeTimes = new Map(times.map(time => [time, own.nativeTime(time)]));
    for (const { id } of keys) own.stored.add(id);
    return keys.map(key => ({
      ...key,
      id: ids.get(key.id) as ApiKeyId,
      createdAt: nativeTimes.get(key.createdAt) as Timestamp,
    }));
  }

  /** The ID that a cursor names: one of this organization's, else another organization's, else one that no row has. */
  cursor(organization: string, id: ApiKeyId): ApiKeyId {
    const own = this.#of(organization);
    const others = [...this.#organizations.values()];
    const owner = own.stored.has(id) ? own : others.find(({ stored }) => stored.has(id));
    return (owner ?? own).nativeId(id);
  }

  /** The item with the values of the suite. */
  item(organization: string, { id, record }: PageItem): PageItem {
    const own = this.#of(organization);
    const native = JSON.parse(record);
    const given = { ...native, id: own.givenId(id), created_at: own.givenTime(native.created_at) };
    return { id: given.id, record: JSON.stringify(given) };
  }

  #of(organization: string): OrganizationValues {
    const known = this.#organizations.get(organization);
    if (known) return known;
    const values = new OrganizationValues(this.#table.makeIds(this.#organizations.size), this.#table.tick);
    this.#organizations.set(organization, values);
    return values;
  }
}

class OrganizationValues {
  readonly stored = new Set<ApiKeyId>();
  readonly #makeId: (id: string) => string;
  readonly #tick: bigint;
  readonly #ids = new Map<ApiKeyId, ApiKeyId>();
  readonly #times = new Map<Timestamp, Timestamp>();
  readonly #order: OrderKeeping;

  constructor(makeId: (id: string) => string, tick: bigint) {
    this.#makeId = makeId;
    this.#tick = tick;
    const [first, last] = [EARLIEST, LATEST].map(time => ({ position: time, number: time / tick }));
    this.#order = new OrderKeeping(first as Place, last as Place, 1_000n);
  }

  nativeId(id: ApiKeyId): ApiKeyId {
    const native = this.#makeId(id) as ApiKeyId;
    this.#ids.set(native, id);
    return native;
  }

  givenId(native: ApiKeyId): ApiKeyId {
    return this.#ids.get(native) ?? native;
  }

  /** A multiple of the tick. */
  nativeTime(time: Timestamp): Timestamp {
    if (this.#tick === 1n) return time;
    const native = (this.#order.numberOf(time) * this.#tick) as Timestamp;
    this.#times.set(native, time);
    return native;
  }

  givenTime(native: string): string {
    const time = this.#times.get(parseTimestamp(native) as Timestamp);
    return time === undefined ? native : formatTimestamp(time);
  }
}

const EARLIEST = parseTimestamp('0001-01-01T00:00:00Z') as Timestamp;
const LATEST = parseTimestamp('9999-12-31T23:59:59.999Z') as Timestamp;

/** The ID as it is. */
export const sameIds: MakeIds = () => id => id;

/** A table in which no two organizations have the same ID. */
export const prefixedIds: MakeIds = organization => id => `${organization}-${id}`;

/** Numbers of the range, which has a part for each of a million organizations. */
export function numberedIds(from: bigint, to: bigint, textOf: (number: bigint) => string): MakeIds {
  const part = (to - from) / 1_000_000n;
  return organization => {
    const start = from + BigInt(organization) * part;
    const first = { position: 0n, number: start };
    const last = { position: LAST_POSITION, number: start + part };
    const order = new OrderKeeping(first, last, part / 10_000n);
    return id => textOf(order.numberOf(positionOf(id)));
  };
}
