import type { ComponentChild, ComponentChildren } from 'preact';
import type { ApiKeyRecord } from '../../client/client.ts';
import { declaredColumns } from '../../shared/formats/render-csv.ts';
import type { RecordField } from '../../shared/record/api-key-record.ts';
import { CreatorType, useDirectory } from '../people/names.tsx';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { ofWorkspace, type RosterQuery, withFilter } from '../walk/query.ts';
import { agoText } from './age.ts';
import { CopyButton } from './copy-button.tsx';
import { KeyName, VisibleName } from './key-name.tsx';
import { StatusBadge } from './status-badge.tsx';
import { DeclaredValue, exactTime, headingOf } from './values.tsx';

interface KeyRecordProps {
  readonly apiKey: ApiKeyRecord;
  /** The list that the links to the workspace and to the creator filter further. */
  readonly query: RosterQuery;
}

/** All that the service knows of a key, nothing cut. */
export function KeyRecord({ apiKey, query }: KeyRecordProps) {
  const { id, name, partial_key_hint, workspace_id, created_by, created_at } = apiKey;
  const directory = useDirectory();
  const entries = {
    name: (
      <Entry term="Name">
        {name === '' ? <KeyName name="" /> : <VisibleName name={name} class="name" />}
      </Entry>
    ),
    id: <Entry term="ID" copied={id} />,
    partial_key_hint: <Entry term="Hint" copied={partial_key_hint} />,
    status: (
      <Entry term="Status">
        <StatusBadge apiKey={apiKey} />
      </Entry>
    ),
    workspace_id: (
      <Entry
        term="Workspace"
        copied={workspace_id ?? undefined}
        name={workspace_id === null ? 'the default workspace' : directory.workspaceName(workspace_id)}
        to={rosterAddress(ofWorkspace(query, workspace_id))}
      />
    ),
    created_by: (
      <Entry
        term="Creator"
        copied={created_by.id}
        name={directory.creatorName(created_by.id)}
        to={rosterAddress(withFilter(query, 'created_by_user_id', created_by.id))}
      >
        <CreatorType type={created_by.type} />
      </Entry>
    ),
    created_at: (
      <Entry term="Created">
        <time dateTime={created_at}>
          {exactTime(created_at)}, {agoText(created_at, Date.now())}
        </time>
      </Entry>
    ),
  } satisfies Record<RecordField, ComponentChild>;
  return (
    <dl class="record">
      {Object.values(entries)}
      {declaredColumns(apiKey).map(field => (
        <Entry key={field} term={headingOf(field)}>
          <DeclaredValue apiKey={apiKey} name={field} exact />
        </Entry>
      ))}
    </dl>
  );
}

interface EntryProps {
  readonly term: string;
  /** A value with a button to copy it. */
  readonly copied?: string | undefined;
  /** What leads to its keys: the value, or a name of it. */
  readonly name?: string;
  readonly to?: string;
  readonly children?: ComponentChildren;
}

/** A term of a record and its value. */
export function Entry({ term, copied, name, to, children }: EntryProps) {
  const isValue = name === copied;
  return (
    <>
      <dt>{term}</dt>
      <dd class="row">
        {to !== undefined && (
          <Link class={isValue ? 'mono' : undefined} to={to}>
            {name}
          </Link>
        )}
        {copied !== undefined && !(to && isValue) && <span class="mono">{copied}</span>}
        {copied !== undefined && <CopyButton what={term.toLowerCase()} text={copied} />}
        {children}
      </dd>
    </>
  );
}
