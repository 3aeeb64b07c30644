import type { ApiVersion } from '../roster/api-version.ts';
import { ApiError } from './errors.ts';
import { record20261021 } from './record-2026-10-21.ts';
import type { RecordVersion, VersionSettings } from './record-version.ts';

/** The record as it is stored. */
const FIRST: RecordVersion = {
  properties: ({ contract }) => contract,
  render: stored => ({ records: [stored] }),
};

/** All that there is of a version is its row here, and its file. */
const VERSIONS: ReadonlyMap<string, RecordVersion> = new Map([
  ['2023-06-01', FIRST],
  ['2026-10-21', record20261021],
]);

/** The values of `<vendor>-version` that are accepted: the first, and those that are added. A date without a row is as the first. */
export function acceptedVersions(added: readonly ApiVersion[]): ReadonlyMap<string, RecordVersion> {
  const [first = ''] = VERSIONS.keys();
  return new Map([first, ...added].map(date => [date, VERSIONS.get(date) ?? FIRST]));
}

/** What one of these versions needs and isn't given: the setting, and why, in words that end before its name. */
export function missingSetting(added: readonly ApiVersion[], given: Partial<VersionSettings>) {
  for (const [date, { needs }] of acceptedVersions(added))
    if (needs && given[needs.setting] === undefined)
      return { setting: needs.setting, problem: `${date} ${needs.why}: give it in` };
  return undefined;
}

/** Returns the version in the header. Throws a 400 when that is missing or not accepted. */
export function versionOf(
  headerName: string,
  header: string | undefined,
  accepted: ReadonlyMap<string, RecordVersion>,
): RecordVersion {
  const version = header === undefined ? undefined : accepted.get(header);
  if (version) return version;
  const problem = header === undefined ? 'header is required' : 'not a supported version';
  throw new ApiError(400, `${headerName}: ${problem}; supported: ${[...accepted.keys()].join(', ')}`);
}
