// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import type { ApiKeyRecord } from '../../client/client.ts';
import { declaredColumns } from '../../formats/declared-columns.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import type { LoadedPage } from '../walk/load-page.ts';
import { type RosterQuery, withoutCursor } from '../walk/query.ts';
import { CopyButton } from './copy-button.tsx';
import { Created } from './created.tsx';
import { DeclaredValue, headingOf } from './declared-value.tsx';
import { KeyName } from './key-name.tsx';
import { badgeClassesOf } from './statuses.ts';

/** On a narrow screen each row is a card. The CSS for that changes `display`, which takes the roles away: so they are explicit. */
export function ApiKeyTable({ keys, query, exact }: LoadedPage & { readonly exact: boolean }) {
  const declared = declaredColumns(keys[0]);
  return (
    <table role="table" class="table api-keys">
      <caption class="visually-hidden">API keys, newest first</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader">Name</th>
          <th role="columnheader">Hint</th>
          <th role="columnheader">Status</th>
          <th role="columnheader">Workspace</th>
          <th role="columnheader">Creator</th>
          <th role="columnheader">Created</th>
          {declared.map(name => (
            <th key={name} role="columnheader">
              {headingOf(name)}
            </th>
          ))}
          <th role="columnheader">
            <span class="visually-hidden">Copy the ID</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {keys.map(key => (
          <Row key={key.id} apiKey={key} query={query} exact={exact} declared={declared} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly apiKey: ApiKeyRecord;
  readonly query: RosterQuery;
  readonly exact: boolean;
  /** The names of the declared fields. */
  readonly declared: readonly string[];
}

function Row({ apiKey, query, exact, declared }: RowProps) {
  const { id, name, partial_key_hint, status, workspace_id, created_by, created_at } = apiKey;
  const filtered = (filter: RosterQuery) => rosterAddress({ ...withoutCursor(query), ...filter });
  return (
    <tr role="row">
      <td role="cell" class="name-cell">
        <KeyName name={name} />
        <span class="mono muted small">{id}</span>
      </td>
      <td role="cell" data-label="Hint">
        <code>{partial_key_hint}</code>
      </td>
      <td role="cell" data-label="Status">
        <span class={`badge ${badgeClassesOf(status)}`}>{status}</span>
      </td>
      <td role="cell" data-label="Workspace">
        {workspace_id === null ? (
          <span class="muted">default</span>
        ) : (
          <Link class="mono small" to={filtered({ workspace_id })} title="Only this workspace">
            {workspace_id}
          </Link>
        )}
      </td>
      <td role="cell" data-label="Creator">
        <Link
          class="mono small"
          to={filtered({ created_by_user_id: created_by.id })}
          title={`Only this creator (${created_by.type.replace('_', ' ')})`}
        >
          {created_by.id}
        </Link>
      </td>
      <td role="cell" data-label="Created">
        <Created at={created_at} exact={exact} />
      </td>
      {declared.map(name => (
        <td key={name} role="cell" data-label={headingOf(name)}>
          <DeclaredValue apiKey={apiKey} name={name} exact={exact} />
        </td>
      ))}
      <td role="cell">
        <CopyButton id={id} />
      </td>
    </tr>
  );
}
