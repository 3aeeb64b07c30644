import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { ListQuery } from '../../../shared/record/list-query.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import type { AdminKey } from '../../roster/admin-key.ts';
import type { JoinedPage } from '../../roster/pages/joined-page.ts';

interface Reads {
  listApiKeys(organization: OrganizationId, query: ListQuery): JoinedPage | null;
  findAdminKey(digest: Uint8Array, at: Timestamp): AdminKey | null;
}

/** About 1,000 pages of 20 keys: those that callers ask for again and again, which are a few of each. */
const MAX_PAGE_BYTES = 16 * 2 ** 20;
/** An upper bound of the memory of an admin key. */
const ADMIN_KEY_BYTES = 1_024;
const MAX_ADMIN_KEY_BYTES = 1_000 * ADMIN_KEY_BYTES;
/** An upper bound of the memory of a page without its records: its key, its objects and the end of its answer. */
const PAGE_BYTES = 2_048;

/**
 * Caches reads until another connection commits (sqlite.org/pragma.html#pragma_data_version), and not for a time, as the very next
 * request has to see a change; this connection never writes. Then `onCommit` is called. Call `evictStale` as each snapshot begins.
 */
export function cachedReads(reads: Reads, database: DatabaseSync, onCommit: () => void) {
  const dataVersion = database.prepare('PRAGMA data_version');
  dataVersion.setReturnArrays(true);
  const pages = new ReadCache<JoinedPage | null>(MAX_PAGE_BYTES, bytesOfPage, page => {
    if (page) page.isKept = true;
  });
  const adminKeys = new ReadCache<AdminKey | null>(MAX_ADMIN_KEY_BYTES, () => ADMIN_KEY_BYTES);
  let cachedVersion: number | undefined;
  return {
    evictStale(): void {
      const [version] = dataVersion.get() as unknown as [number];
      if (version === cachedVersion) return;
      cachedVersion = version;
      pages.clear();
      adminKeys.clear();
      onCommit();
    },
    listApiKeys(organization: OrganizationId, query: ListQuery): JoinedPage | null {
      // All of the query, whatever it comes to have: two that differ anywhere never share a page.
      const cacheKey = JSON.stringify([organization, query], query.created && bigintsAsText);
      return pages.get(cacheKey, () => reads.listApiKeys(organization, query));
    },
    findAdminKey(digest: Uint8Array, at: Timestamp): AdminKey | null {
      const key = adminKeys.get(Buffer.from(digest).toString('latin1'), () => reads.findAdminKey(digest, at));
      const expired = key !== null && key.expiresAt !== null && key.expiresAt <= at;
      return expired ? null : key;
    },
  };
}

/** Times are bigints, which JSON hasn't. */
const bigintsAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** The records are in memory twice: as they were read, and in the page as it was rendered last. */
function bytesOfPage(page: JoinedPage | null): number {
  return PAGE_BYTES + 2 * (page?.records.length ?? 0);
}

/** The number of keys that are remembered as read once. */
const MAX_READ_ONCE = 1_000;
/** At least this many values fit. A larger value isn't cached: pages that large come from walks, which read each page once. */
const MIN_ENTRIES = 32;

/**
 * A cache of values up to a number of bytes, which evicts the least recently used first. A value is cached when it is read for
 * the second time: a walk reads each page once and would only evict the others.
 */
export class ReadCache<Value> {
  readonly #maxBytes: number;
  readonly #bytesOf: (value: Value) => number;
  readonly #onKept: (value: Value) => void;
  /** Least recently used first. */
  readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  readonly #readOnce = new Set<string>();
  #bytes = 0;

  constructor(
    maxBytes: number,
    bytesOf: (value: Value) => number,
    onKept: (value: Value) => void = () => {},
  ) {
    this.#maxBytes = maxBytes;
    this.#bytesOf = bytesOf;
    this.#onKept = onKept;
  }

  /** Returns the value, which `read` reads where it isn't cached. */
  get(key: string, read: () => Value): Value {
    const cached = this.#entries.get(key);
    if (cached) {
      this.#entries.delete(key);
      this.#entries.set(key, cached);
      return cached.value;
    }
    const value = read();
    if (this.#readOnce.delete(key)) this.#add(key, value);
    else {
      if (this.#readOnce.size === MAX_READ_ONCE) this.#readOnce.clear();
      this.#readOnce.add(key);
    }
    return value;
  }

  #add(key: string, value: Value): void {
    const bytes = this.#bytesOf(value);
    if (bytes > this.#maxBytes / MIN_ENTRIES) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    this.#onKept(value);
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
