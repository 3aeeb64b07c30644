import type { JoinedPage } from '../roster/pages/joined-page.ts';
import { type Body, Pieces } from './answer.ts';
import type { RecordVersion, VersionSettings } from './record-version.ts';

/** Renders a page (docs/api.md#answer). */
export function renderPage(
  page: JoinedPage,
  version: RecordVersion,
  settings: VersionSettings,
  now = Date.now(),
): Body {
  const { rendered, isKept } = page;
  if (rendered?.version === version && rendered.from <= now && now < rendered.until) return rendered.body;
  const { records, until = Number.POSITIVE_INFINITY } = version.render(page.records, settings, now);
  const pieces = [HEAD, ...records, tailOf(page)];
  if (!isKept) return new Pieces(pieces, page.memory);
  const body = Buffer.concat(pieces);
  page.rendered = { version, from: now, until, body };
  return body;
}

const HEAD = Buffer.from('{"data":[');

/** IDs are ASCII, and have no character that JSON escapes. */
function tailOf({ firstId, lastId, hasMore }: JoinedPage): Buffer {
  const tail = `],"first_id":${quoted(firstId)},"last_id":${quoted(lastId)},"has_more":${hasMore}}`;
  return Buffer.from(tail, 'latin1');
}

function quoted(id: string | null): string {
  return id === null ? 'null' : `"${id}"`;
}
