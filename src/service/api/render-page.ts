import type { WorkspaceId } from '../../shared/record/identifier.ts';
import { type ApiVersion, SCOPED_VERSION } from '../roster/api-version.ts';
import type { JoinedPage } from '../roster/joined-page.ts';
import { AsciiPieces, type Body } from './answer.ts';
import { ApiError } from './errors.ts';
import { renderScopedPage } from './record-2026-10-21.ts';

/** How the requests of a version are answered. */
interface Version {
  readonly render: (page: JoinedPage) => Body;
  /** The ID that its records show where stored ones have `null`; absent: they show that. */
  readonly defaultWorkspace?: WorkspaceId;
}

/** The values of `<vendor>-version` that are accepted. What the operator adds is answered as 2023-06-01, but for one. */
export function acceptedVersions(
  added: readonly ApiVersion[],
  defaultWorkspace?: WorkspaceId,
): ReadonlyMap<string, Version> {
  const first: Version = { render: renderPage };
  const scoped = defaultWorkspace && {
    render: (page: JoinedPage) => renderScopedPage(page, defaultWorkspace),
    defaultWorkspace,
  };
  const names = ['2023-06-01', ...added];
  return new Map(names.map(name => [name, (name === SCOPED_VERSION && scoped) || first]));
}

/** Returns the version in the header. Throws a 400 when that is missing or not accepted. */
export function versionOf(
  headerName: string,
  header: string | undefined,
  accepted: ReadonlyMap<string, Version>,
): Version {
  const version = header === undefined ? undefined : accepted.get(header);
  if (version) return version;
  const problem = header === undefined ? 'header is required' : 'not a supported version';
  throw new ApiError(400, `${headerName}: ${problem}; supported: ${[...accepted.keys()].join(', ')}`);
}

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
