import type { ApiKeyRecord } from '../../client/client.ts';
import type { Owner } from '../../find/known.ts';
import type { Question } from '../../find/question.ts';
import { declaredColumns } from '../../formats/render-csv.ts';
import { dateOf } from '../roster/created.tsx';
import { DeclaredValue } from '../roster/declared-value.tsx';
import { VisibleName } from '../roster/key-name.tsx';
import { badgeClassesOf } from '../roster/statuses.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { type Found, queryFrom } from './found.ts';
import { FoundTable } from './found-table.tsx';
import { OwnerNotice } from './owner-notice.tsx';

/** With more there is no one to write to. */
const MAX_SUMMARIES = 3;

/** The keys that were found. For a person with a leaked key it says first whether it is active, and whose it is. */
export function FoundKeys({
  question,
  found,
  exact,
}: {
  readonly question: Question;
  readonly found: readonly Found[];
  /** Those of all that were found, also of those that aren't shown. */
  readonly exact: readonly Found[];
}) {
  const owners = ownersIn(found);
  return (
    <>
      {[...owners].map(([id, owner]) => (
        <OwnerNotice key={id} owner={owner} id={id} sure={question.kind === 'text'} />
      ))}
      {exact.length > 1 && (
        <p>
          <strong>More than one key fits:</strong> names, creators and dates tell which one it is.
        </p>
      )}
      {exact.length <= MAX_SUMMARIES &&
        exact.map(each => (
          <p key={each.key.id} class="card lead">
            <Summary apiKey={each.key} />{' '}
            <Link to={rosterAddress(queryFrom(each), each.key.id)}>Show it in the roster</Link>{' '}
            <Link to={rosterAddress({ created_by_user_id: each.key.created_by.id })}>
              Keys of this creator
            </Link>
          </p>
        ))}
      <FoundTable question={question} found={found} />
    </>
  );
}

/** The IDs of creators and workspaces by which keys were found. */
function ownersIn(found: readonly Found[]): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>();
  for (const { by, key } of found) {
    if (by === 'creator') owners.set(key.created_by.id, by);
    if (by === 'workspace' && key.workspace_id !== null) owners.set(key.workspace_id, by);
  }
  return owners;
}

function Summary({ apiKey }: { readonly apiKey: ApiKeyRecord }) {
  const { name, status, created_by, created_at, workspace_id } = apiKey;
  return (
    <>
      <span class={`badge ${badgeClassesOf(status)}`}>
        {status.charAt(0).toUpperCase() + status.slice(1)}
      </span>{' '}
      <VisibleName name={name} class="asked" />. Created by {created_by.type.replace('_', ' ')}{' '}
      <code>{created_by.id}</code> on <time dateTime={created_at}>{dateOf(created_at)}</time> in{' '}
      {workspace_id === null ? (
        'the default workspace'
      ) : (
        <>
          workspace <code>{workspace_id}</code>
        </>
      )}
      .
      {declaredColumns(apiKey).map(field => (
        <span key={field}>
          {' '}
          <code>{field}</code> <DeclaredValue apiKey={apiKey} name={field} />.
        </span>
      ))}
    </>
  );
}
