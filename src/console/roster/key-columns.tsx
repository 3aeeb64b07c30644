import type { ComponentChildren } from 'preact';
import type { ApiKeyRecord } from '../../client/client.ts';
import { declaredColumns } from '../../shared/formats/render-csv.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { type RosterQuery, withFilter } from '../walk/query.ts';
import { CopyButton } from './copy-button.tsx';
import { Created } from './created.tsx';
import { CreatorType } from './creator-type.tsx';
import { DeclaredValue, headingOf } from './declared-value.tsx';
import { KeyName } from './key-name.tsx';
import { Hint, Middle } from './middle.tsx';
import { StatusBadge } from './status-badge.tsx';

/** A column of a table of keys: its heading and its cells are told together, so neither can be without the other. */
export interface KeyColumn {
  readonly field: string;
  readonly heading: string;
  /** @param query of the list. */
  readonly cell: (apiKey: ApiKeyRecord, query: RosterQuery) => ComponentChildren;
}

const column = (field: string, heading: string, cell: KeyColumn['cell']) => ({ field, heading, cell });

/** Those of the contract. Where a row is a card, the first is its title. */
const COLUMNS: readonly KeyColumn[] = [
  column('name', 'Name', ({ id, name }, query) => (
    <Link class="open" data-row to={rosterAddress(query, id)} title={name}>
      <KeyName name={name} />
    </Link>
  )),
  column('id', 'ID', ({ id }) => (
    <Copyable what="ID" text={id}>
      <Middle text={id} />
    </Copyable>
  )),
  column('partial_key_hint', 'Hint', key => <Hint hint={key.partial_key_hint} />),
  column('status', 'Status', key => <StatusBadge apiKey={key} />),
  column('workspace_id', 'Workspace', ({ workspace_id: id }, query) =>
    id === null ? (
      <Link to={rosterAddress(withFilter(query, 'default_workspace', 'true'))}>default</Link>
    ) : (
      <Copyable what="workspace" text={id}>
        <Link aria-label={id} to={rosterAddress(withFilter(query, 'workspace_id', id))}>
          <Middle text={id} />
        </Link>
      </Copyable>
    ),
  ),
  column('created_by', 'Creator', ({ created_by: { id, type } }, query) => (
    <Copyable what="creator" text={id}>
      <Link aria-label={id} to={rosterAddress(withFilter(query, 'created_by_user_id', id))}>
        <Middle text={id} />
      </Link>
      <CreatorType type={type} />
    </Copyable>
  )),
  column('created_at', 'Created', key => <Created at={key.created_at} />),
];

/** Behind those of the contract come the declared fields, which each record has. */
export function columnsOf(first: ApiKeyRecord | undefined): readonly KeyColumn[] {
  const declared = declaredColumns(first).map(field =>
    column(field, headingOf(field), apiKey => <DeclaredValue apiKey={apiKey} name={field} />),
  );
  return [...COLUMNS, ...declared];
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
