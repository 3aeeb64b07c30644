import type { ComponentChildren } from 'preact';
import type { ApiKeyRecord } from '../../client/client.ts';
import { hasExpired } from '../../shared/record/lifecycle.ts';
import { dateOf } from '../roster/created.tsx';
import { KeyName } from '../roster/key-name.tsx';
import { Middle } from '../roster/middle.tsx';
import { StatusBadge } from '../roster/status-badge.tsx';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';

/** By the headings of their columns. */
const cells: Readonly<Record<string, (key: ApiKeyRecord) => ComponentChildren>> = {
  Name: key => (
    <Link to={addressOfKey(key)}>
      <KeyName name={key.name} />
      {hasExpired(key, Date.now()) && (
        <>
          {' '}
          <StatusBadge apiKey={key} />
        </>
      )}
    </Link>
  ),
  Creator: key => <Middle text={key.created_by.id} />,
  Created: key => dateOf(key.created_at),
};

export function OldestKeys({ keys }: { readonly keys: readonly ApiKeyRecord[] }) {
  if (keys.length === 0) return <p class="small muted">None.</p>;
  return (
    <table class="table oldest-keys">
      <thead>
        <tr>
          {Object.keys(cells).map(heading => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {keys.map(key => (
          <tr key={key.id}>
            {Object.entries(cells).map(([heading, cell]) => (
              <td key={heading}>{cell(key)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The active keys from this one on, which is shown with its details. */
function addressOfKey({ id, created_at }: ApiKeyRecord): string {
  const next = new Date(Date.parse(created_at) + 1).toISOString();
  return rosterAddress({ status: 'active', created_before: next }, id);
}
