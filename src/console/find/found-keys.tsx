import type { Found, FoundKeys } from '../../admin/find/found-keys.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { KeyTable } from '../roster/key-table.tsx';
import { keysText } from '../walk/keys-text.ts';
import type { RosterQuery } from '../walk/query.ts';

/** The keys that were found. */
export function FoundTable({ found }: { readonly found: FoundKeys<ApiKeyRecord> }) {
  const { all, exact, maybe } = found;
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
        rows={all.map(each => ({ apiKey: each.key, query: queryFrom(each), isOpen: false }))}
      />
    </>
  );
}

/** All keys from this one on. */
function queryFrom({ newer }: Found): RosterQuery {
  return newer === null ? {} : { after_id: newer };
}
