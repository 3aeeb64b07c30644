import type { JoinedPage } from '../roster/joined-page.ts';
import { AsciiPieces, type Body } from './body.ts';

/** Renders a page as version 2023-06-01 has it (docs/api.md#answer). The records are JSON already. */
export function renderPage(page: JoinedPage): Body {
  if (page.rendered) return page.rendered;
  const { records } = page;
  const bytes = Buffer.byteLength(records);
  const isAscii = bytes === records.length;
  // A page that is rendered again is one that its store keeps: its bytes are made once, as they are sent faster.
  if (isAscii && !page.wasRendered) {
    page.wasRendered = true;
    return new AsciiPieces(HEAD, records, tailOf(page));
  }
  page.rendered = bytesOf(page, bytes);
  return page.rendered;
}

const HEAD = '{"data":[';

/** IDs are ASCII, and have no character that JSON escapes. */
function tailOf({ firstId, lastId, hasMore }: JoinedPage): string {
  return `],"first_id":${quoted(firstId)},"last_id":${quoted(lastId)},"has_more":${hasMore}}`;
}

/** The texts aren't joined first, which would copy the records once more. */
function bytesOf(page: JoinedPage, bytes: number): Buffer {
  const tail = tailOf(page);
  // Not out of a larger block of memory, all of which would stay for as long as a cached page.
  const body = Buffer.allocUnsafeSlow(HEAD.length + bytes + tail.length);
  body.write(HEAD);
  body.write(page.records, HEAD.length);
  body.write(tail, HEAD.length + bytes);
  return body;
}

function quoted(id: string | null): string {
  return id === null ? 'null' : `"${id}"`;
}
