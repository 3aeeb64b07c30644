import type { ApiKeyId } from '../../../shared/record/identifier.ts';
import type { Page, PageItem } from './page.ts';

/** A page with its records joined to one text, as they are sent. A store that joins them itself makes no object of each. */
export class JoinedPage implements Page {
  /** The records, with commas between them. */
  readonly records: string;
  /** How many there are. */
  readonly count: number;
  readonly hasMore: boolean;
  /** The bytes that a version rendered of it last, and from when until when they are right. They go with the page. */
  kept: { version: unknown; from: number; until: number; body: Buffer } | undefined;
  wasRendered = false;

  constructor(records: string, count: number, hasMore: boolean) {
    this.records = records;
    this.count = count;
    this.hasMore = hasMore;
  }

  static of({ items, hasMore }: Page): JoinedPage {
    return new JoinedPage(items.map(({ record }) => record).join(), items.length, hasMore);
  }

  get firstId(): ApiKeyId | null {
    return this.count === 0 ? null : idOf(this.records, 0);
  }

  get lastId(): ApiKeyId | null {
    return this.count === 0 ? null : idOf(this.records, startOfLast(this.records));
  }

  /** For those who need the records one by one. */
  get items(): readonly PageItem[] {
    return withoutHeads(this.records).map(rest => {
      const record = HEAD + rest;
      return { id: idOf(record, 0), record };
    });
  }
}

export const EMPTY_PAGE = new JoinedPage('', 0, false);

/** A record begins with its ID. This can't be within one after a comma: a quote in a value is escaped, and no array has objects. */
const HEAD = '{"id":"';
const BETWEEN = `,${HEAD}`;

/** Joined records without the last. */
export function withoutLast(records: string): string {
  return records.slice(0, startOfLast(records) - 1);
}

/** Joined records in the opposite order. */
export function reversed(records: string): string {
  return records === '' ? '' : HEAD + withoutHeads(records).reverse().join(BETWEEN);
}

/** The records one by one, each without its head. */
function withoutHeads(records: string): string[] {
  return records === '' ? [] : records.slice(HEAD.length).split(BETWEEN);
}

function startOfLast(records: string): number {
  return records.lastIndexOf(BETWEEN) + 1;
}

/** The ID of the record that begins there. */
function idOf(records: string, start: number): ApiKeyId {
  const from = start + HEAD.length;
  return records.slice(from, records.indexOf('"', from)) as ApiKeyId;
}
