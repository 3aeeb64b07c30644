import type { Page } from '../roster/page.ts';

/** A page that the store has cached is the same object each time, so it is rendered once. */
const rendered = new WeakMap<Page, Buffer>();

/**
 * Renders a page as version 2023-06-01 has it (docs/api.md#answer). The records are JSON already, so they are only joined. A
 * buffer, because that is sent faster than a string.
 */
export function renderPage(page: Page): Buffer {
  const known = rendered.get(page);
  if (known) return known;
  const { items, hasMore } = page;
  const data = items.map(item => item.record).join(',');
  const first = items[0];
  const last = items[items.length - 1];
  const body = Buffer.from(
    `{"data":[${data}],"first_id":${quoted(first?.id)},"last_id":${quoted(last?.id)},"has_more":${hasMore}}`,
  );
  rendered.set(page, body);
  return body;
}

/** An ID has no character that JSON escapes. */
function quoted(id: string | undefined): string {
  return id === undefined ? 'null' : `"${id}"`;
}
