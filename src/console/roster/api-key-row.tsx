// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import { Component, type ComponentChildren } from 'preact';
import type { ApiKeyRecord } from '../../client/client.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { type RosterQuery, withFilter } from '../walk/query.ts';
import { CopyButton } from './copy-button.tsx';
import { Created } from './created.tsx';
import { CreatorType } from './creator-type.tsx';
import { DeclaredValue, headingOf } from './declared-value.tsx';
import { KeyName } from './key-name.tsx';
import { Hint, Middle } from './middle.tsx';
import { badgeClassesOf } from './statuses.ts';

interface RowProps {
  readonly apiKey: ApiKeyRecord;
  /** Of the list. */
  readonly query: RosterQuery;
  /** The names of the declared fields. */
  readonly declared: readonly string[];
  /** Whether its drawer is open. */
  readonly isOpen: boolean;
}

/** One line: what has no room is cut, and whole in the drawer. Of a page's 1,000 rows only those render again that have changed. */
export class ApiKeyRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return (Object.keys(next) as (keyof RowProps)[]).some(name => next[name] !== this.props[name]);
  }

  override render({ apiKey, query, declared, isOpen }: RowProps) {
    const { id, name, partial_key_hint, status, workspace_id, created_by, created_at } = apiKey;
    return (
      <tr role="row" aria-current={isOpen || undefined}>
        <td role="cell" class="of-name">
          <Link class="open" data-row to={rosterAddress(query, id)} title={name}>
            <KeyName name={name} />
          </Link>
        </td>
        <td role="cell" class="of-id" data-label="ID">
          <Copyable what="ID" text={id}>
            <Middle text={id} />
          </Copyable>
        </td>
        <td role="cell" class="of-hint" data-label="Hint">
          <Hint hint={partial_key_hint} />
        </td>
        <td role="cell" data-label="Status">
          <span class={`badge ${badgeClassesOf(status)}`}>{status}</span>
        </td>
        <td role="cell" class="of-workspace" data-label="Workspace">
          {workspace_id === null ? (
            <Link to={rosterAddress(withFilter(query, 'default_workspace', 'true'))}>default</Link>
          ) : (
            <Copyable what="workspace" text={workspace_id}>
              <Link
                aria-label={workspace_id}
                to={rosterAddress(withFilter(query, 'workspace_id', workspace_id))}
              >
                <Middle text={workspace_id} />
              </Link>
            </Copyable>
          )}
        </td>
        <td role="cell" class="of-creator" data-label="Creator">
          <Copyable what="creator" text={created_by.id}>
            <Link
              aria-label={created_by.id}
              to={rosterAddress(withFilter(query, 'created_by_user_id', created_by.id))}
            >
              <Middle text={created_by.id} />
            </Link>
            <CreatorType type={created_by.type} />
          </Copyable>
        </td>
        <td role="cell" data-label="Created">
          <Created at={created_at} />
        </td>
        {declared.map(field => (
          <td key={field} role="cell" data-label={headingOf(field)}>
            <DeclaredValue apiKey={apiKey} name={field} />
          </td>
        ))}
      </tr>
    );
  }
}

interface CopyableProps {
  readonly what: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

/** With a button to copy the text, which is seen under the pointer and with the focus. */
function Copyable({ what, text, children }: CopyableProps) {
  return (
    <span class="copyable">
      {children}
      <CopyButton what={what} text={text} />
    </span>
  );
}
