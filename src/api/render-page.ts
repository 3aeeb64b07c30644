import type { KeptPage, Page } from '../roster/page.ts';

/**
 * Renders a page as version 2023-06-01 has it (docs/api.md#answer). The records are JSON already, so they are only joined. A
 * buffer, because that is sent faster than a string. A page that its store keeps is rendered once.
 */
export function renderPage(page: Page | KeptPage): Buffer {
  if (!('rendered' in page)) return Buffer.from(textOf(page));
  page.rendered.body ??= ownBuffer(textOf(page));
  return page.rendered.body;
}

function textOf({ items, hasMore }: Page): string {
  const data = items.map(item => item.record).join(',');
  const first = items[0];
  const last = items[items.length - 1];
  return `{"data":[${data}],"first_id":${quoted(first?.id)},"last_id":${quoted(last?.id)},"has_more":${hasMore}}`;
}

/** `Buffer.from` takes a small one from a larger memory block, all of which would stay for as long as the page is kept. */
function ownBuffer(text: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  buffer.write(text);
  return buffer;
}

/** An ID has no character that JSON escapes. */
function quoted(id: string | undefined): string {
  return id === undefined ? 'null' : `"${id}"`;
}
