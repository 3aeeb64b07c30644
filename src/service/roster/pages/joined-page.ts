import type { ApiKeyId } from '../../../shared/record/identifier.ts';
import type { Page, PageItem } from './page.ts';

/** A page with its records joined to the bytes that are sent. A store that joins them itself makes no object of each. */
export class JoinedPage implements Page {
  /** The records, with commas between them. */
  readonly records: Buffer;
  /** How many there are. */
  readonly count: number;
  readonly hasMore: boolean;
  /** Whether its store keeps it, for others who ask for the same. */
  isKept = false;
  /** The memory of its records, where nothing else is in it. */
  readonly memory: ArrayBuffer | null;
  /** Of a page that is kept: the bytes that a version rendered of it last, and from when until when they are right. */
  rendered: { version: unknown; from: number; until: number; body: Buffer } | undefined;

  constructor(records: Buffer, count: number, hasMore: boolean, memory: ArrayBuffer | null = null) {
    this.records = records;
    this.count = count;
    this.hasMore = hasMore;
    this.memory = memory;
  }

  static of({ items, hasMore }: Page): JoinedPage {
    const records = items.map(({ record }) => record).join();
    return new JoinedPage(Buffer.from(records), items.length, hasMore);
  }

  get firstId(): ApiKeyId | null {
    return this.count === 0 ? null : idOf(this.records, 0);
  }

  get lastId(): ApiKeyId | null {
    return this.count === 0 ? null : idOf(this.records, startOfLast(this.records));
  }

  /** For those who need the records one by one. */
  get items(): readonly PageItem[] {
    return withoutHeads(String(this.records)).map(rest => {
      const record = HEAD + rest;
      return { id: record.slice(HEAD.length, record.indexOf('"', HEAD.length)) as ApiKeyId, record };
    });
  }
}

export const EMPTY_PAGE = new JoinedPage(Buffer.alloc(0), 0, false);

/** A record begins with its ID. This can't be within one after a comma: a quote in a value is escaped, and no array has objects. */
const HEAD = '{"id":"';
const BETWEEN = `,${HEAD}`;
const BYTES_BETWEEN = Buffer.from(BETWEEN);
const QUOTE = 0x22;

/**
 * A page of records that a store has joined in the order of its statement, of which it asked for one more than the limit to see
 * whether there are more. `memory`: what they are in, if nothing else is. It is given back with the page, or at once.
 */
export function pageOf(
  found: number,
  joined: Buffer,
  limit: number,
  isBackward: boolean,
  memory: ArrayBuffer | null = null,
): JoinedPage {
  const hasMore = found > limit;
  const records = hasMore ? withoutLast(joined) : joined;
  const count = hasMore ? limit : found;
  if (!isBackward) return new JoinedPage(records, count, hasMore, memory);
  const inOrder = reversed(records);
  memory?.transfer(0);
  return new JoinedPage(inOrder, count, hasMore, inOrder.buffer);
}

/** Joined records without the last. */
function withoutLast(records: Buffer): Buffer {
  return records.subarray(0, startOfLast(records) - 1);
}

/**
 * Joined records in the opposite order, in memory of their own. As a text with a character for each byte: V8 cuts and joins texts
 * faster.
 */
function reversed(records: Buffer): Buffer<ArrayBuffer> {
  const text = HEAD + withoutHeads(records.toString('latin1')).reverse().join(BETWEEN);
  const bytes = Buffer.allocUnsafeSlow(records.length);
  bytes.write(text, 'latin1');
  return bytes;
}

/** The records one by one, each without its head. */
function withoutHeads(records: string): string[] {
  return records === '' ? [] : records.slice(HEAD.length).split(BETWEEN);
}

function startOfLast(records: Buffer): number {
  return records.lastIndexOf(BYTES_BETWEEN) + 1;
}

/** The ID of the record that begins there. IDs are ASCII. */
function idOf(records: Buffer, start: number): ApiKeyId {
  const from = start + HEAD.length;
  return records.toString('latin1', from, records.indexOf(QUOTE, from)) as ApiKeyId;
}
