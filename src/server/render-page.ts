import type { Page } from '../roster/page.ts';

/** The list response envelope (spec, section 2) of version 2023-06-01, joined from records rendered when written. */
export function renderPage({ items, hasMore }: Page): string {
  const data = items.map(item => item.record).join(',');
  const first = items[0];
  const last = items[items.length - 1];
  return `{"data":[${data}],"first_id":${quoted(first?.id)},"last_id":${quoted(last?.id)},"has_more":${hasMore}}`;
}

/** IDs have no character that JSON would escape. */
function quoted(id: string | undefined): string {
  return id === undefined ? 'null' : `"${id}"`;
}
