import type { Found } from '../../admin/find/found-keys.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { KeyTable } from '../roster/key-table.tsx';
import { keysText } from '../walk/keys-text.ts';
import type { RosterQuery } from '../walk/query.ts';

interface FoundKeysProps {
  readonly found: readonly Found<ApiKeyRecord>[];
  /** Those of all that were found, also of those that aren't shown. */
  readonly exact: readonly Found<ApiKeyRecord>[];
  /** How many fit by one end alone. */
  readonly maybe: number;
}

/** The keys that were found. */
export function FoundKeys({ found, exact, maybe }: FoundKeysProps) {
  return (
    <>
      {exact.length > 1 && (
        <p>
          <strong>More than one key fits:</strong> names, creators and dates tell which one it is.
        </p>
      )}
      {maybe > 0 && (
        <p>
          <strong>{keysText(maybe)} by one end alone:</strong> it may be the key, where the text was cut off,
          or another one.
        </p>
      )}
      <KeyTable
        caption="Keys that were found, newest first"
        rows={found.map(each => ({ apiKey: each.key, query: queryFrom(each), isOpen: false }))}
      />
    </>
  );
}

/** All keys from this one on. */
function queryFrom({ newer }: Found): RosterQuery {
  return newer === null ? {} : { after_id: newer };
}
