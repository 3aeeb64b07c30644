import type { ComponentChildren } from 'preact';
import type { ApiKeyRecord } from '../../client/client.ts';
import { declaredColumns } from '../../shared/formats/render-csv.ts';
import { CreatorLink, WorkspaceName } from '../people/names.tsx';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { ofWorkspace, type RosterQuery, withFilter } from '../walk/query.ts';
import { Created } from './created.tsx';
import { DeclaredValue, headingOf } from './declared-value.tsx';
import { KeyName } from './key-name.tsx';
import { Hint } from './middle.tsx';
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
    <Link class="open" to={rosterAddress(query, id)} title={name}>
      <KeyName name={name} />
    </Link>
  )),
  column('id', 'ID', ({ id }) => <span class="mono">{id}</span>), // on paper alone: the drawer has it
  column('partial_key_hint', 'Hint', key => <Hint hint={key.partial_key_hint} />),
  column('status', 'Status', key => <StatusBadge apiKey={key} />),
  column('workspace_id', 'Workspace', ({ workspace_id: id }, query) => (
    <Link to={rosterAddress(ofWorkspace(query, id))}>
      <WorkspaceName id={id} />
    </Link>
  )),
  column('created_by', 'Creator', ({ created_by: { id, type } }, query) => (
    <CreatorLink id={id} type={type} to={rosterAddress(withFilter(query, 'created_by_user_id', id))} />
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
