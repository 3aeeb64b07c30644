import type { JoinedPage } from '../roster/joined-page.ts';

/** Renders a page as version 2023-06-01 has it (docs/api.md#answer), once. The records are JSON already. */
export function renderPage(page: JoinedPage): Buffer {
  page.rendered ??= render(page);
  return page.rendered;
}

const HEAD = '{"data":[';

/** The texts aren't joined first, which would copy the records once more. */
function render({ records, firstId, lastId, hasMore }: JoinedPage): Buffer {
  const tail = `],"first_id":${quoted(firstId)},"last_id":${quoted(lastId)},"has_more":${hasMore}}`;
  const end = HEAD.length + Buffer.byteLength(records);
  // Not out of a larger block of memory, all of which would stay for as long as a cached page.
  const body = Buffer.allocUnsafeSlow(end + tail.length);
  body.write(HEAD);
  body.write(records, HEAD.length);
  body.write(tail, end);
  return body;
}

/** An ID has no character that JSON escapes. */
function quoted(id: string | null): string {
  return id === null ? 'null' : `"${id}"`;
}
