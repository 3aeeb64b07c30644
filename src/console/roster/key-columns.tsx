import type { ComponentChildren } from 'preact';
import type { ApiKeyRecord } from '../../client/client.ts';
import { declaredColumns } from '../../shared/formats/render-csv.ts';
import type { RecordField } from '../../shared/record/api-key-record.ts';
import { CreatorLink, WorkspaceName } from '../people/names.tsx';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { ofWorkspace, type RosterQuery, withFilter } from '../walk/query.ts';
import { END_OF_HINT, Middle } from './cut-in-middle.tsx';
import { KeyName } from './key-name.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Created, DeclaredValue, headingOf } from './values.tsx';

/** A column of a table of keys: its heading and its cells are told together, so neither can be without the other. */
export interface KeyColumn {
  readonly field: string;
  readonly heading: string;
  /** @param query of the list. */
  readonly cell: (apiKey: ApiKeyRecord, query: RosterQuery) => ComponentChildren;
}

const column = (heading: string, cell: KeyColumn['cell']) => ({ heading, cell });

/** Those of the contract. Where a row is a card, the first is its title. */
const COLUMNS = {
  name: column('Name', ({ id, name }, query) => (
    <Link class="open" to={rosterAddress(query, id)} title={name}>
      <KeyName name={name} />
    </Link>
  )),
  id: column('ID', ({ id }) => <span class="mono">{id}</span>), // on paper alone: the drawer has it
  partial_key_hint: column('Hint', key => <Middle text={key.partial_key_hint} end={END_OF_HINT} />),
  status: column('Status', key => <StatusBadge apiKey={key} />),
  workspace_id: column('Workspace', ({ workspace_id: id }, query) => (
    <Link to={rosterAddress(ofWorkspace(query, id))}>
      <WorkspaceName id={id} />
    </Link>
  )),
  created_by: column('Creator', ({ created_by: { id, type } }, query) => (
    <CreatorLink id={id} type={type} to={rosterAddress(withFilter(query, 'created_by_user_id', id))} />
  )),
  created_at: column('Created', key => <Created at={key.created_at} />),
} satisfies Record<RecordField, Omit<KeyColumn, 'field'>>;

const OF_CONTRACT = Object.entries(COLUMNS).map(([field, column]): KeyColumn => ({ field, ...column }));

/** Behind those of the contract come the declared fields, which each record has. */
export function columnsOf(first: ApiKeyRecord | undefined): readonly KeyColumn[] {
  const declared = declaredColumns(first).map(field => ({
    field,
    heading: headingOf(field),
    cell: (apiKey: ApiKeyRecord) => <DeclaredValue apiKey={apiKey} name={field} />,
  }));
  return [...OF_CONTRACT, ...declared];
}
