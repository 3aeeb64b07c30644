import type { JoinedPage } from '../roster/pages/joined-page.ts';
import { AsciiPieces, type Body } from './answer.ts';
import type { RecordVersion, VersionSettings } from './record-version.ts';

/** Renders a page (docs/api.md#answer). */
export function renderPage(
  page: JoinedPage,
  version: RecordVersion,
  settings: VersionSettings,
  now = Date.now(),
): Body {
  const { kept } = page;
  if (kept?.version === version && kept.from <= now && now < kept.until) return kept.body;
  const { records, until = Number.POSITIVE_INFINITY } = version.render(page.records, settings, now);
  const pieces = [HEAD, ...records, tailOf(page)];
  const bytes = sumOf(pieces, piece => Buffer.byteLength(piece));
  const isAscii = bytes === sumOf(pieces, piece => piece.length);
  // A page that is rendered again is one that its store keeps: its bytes are made once, as they are sent faster.
  if (isAscii && !page.wasRendered) {
    page.wasRendered = true;
    return new AsciiPieces(...pieces);
  }
  const body = bytesOf(pieces, bytes);
  page.kept = { version, from: now, until, body };
  return body;
}

const HEAD = '{"data":[';

/** IDs are ASCII, and have no character that JSON escapes. */
function tailOf({ firstId, lastId, hasMore }: JoinedPage): string {
  return `],"first_id":${quoted(firstId)},"last_id":${quoted(lastId)},"has_more":${hasMore}}`;
}

/** The texts aren't joined first, which would copy the records once more. */
function bytesOf(pieces: readonly string[], bytes: number): Buffer {
  // Not out of a larger block of memory, all of which would stay for as long as a cached page.
  const body = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const piece of pieces) at += body.write(piece, at);
  return body;
}

function sumOf(pieces: readonly string[], size: (piece: string) => number): number {
  return pieces.reduce((sum, piece) => sum + size(piece), 0);
}

function quoted(id: string | null): string {
  return id === null ? 'null' : `"${id}"`;
}
