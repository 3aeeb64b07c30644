import type { Found } from '../../admin/find/found-keys.ts';
import type { Question } from '../../admin/find/question.ts';
import { KeyTable } from '../roster/key-table.tsx';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { keysText } from '../walk/keys-text.ts';
import type { RosterQuery } from '../walk/query.ts';

interface FoundKeysProps {
  readonly question: Question;
  readonly found: readonly Found[];
  /** Those of all that were found, also of those that aren't shown. */
  readonly exact: readonly Found[];
  /** How many fit by one end alone. */
  readonly maybe: number;
}

/** The keys that were found. */
export function FoundKeys({ question, found, exact, maybe }: FoundKeysProps) {
  return (
    <>
      <OwnerNotices found={found} sure={question.kind === 'text'} />
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

/** That an ID by which keys were found is none of a key, and the way to the keys of whom it is. */
function OwnerNotices({ found, sure }: { readonly found: readonly Found[]; readonly sure: boolean }) {
  const owners = new Map<string, { readonly owner: string; readonly query: RosterQuery }>();
  for (const { by, key } of found) {
    const { created_by, workspace_id } = key;
    if (by === 'creator')
      owners.set(created_by.id, { owner: by, query: { created_by_user_id: created_by.id } });
    if (by === 'workspace' && workspace_id !== null)
      owners.set(workspace_id, { owner: by, query: { workspace_id } });
  }
  return Array.from(owners, ([id, { owner, query }]) => (
    <p key={id} class="card">
      <strong>
        {sure ? 'This is' : 'This looks like'} the ID of a {owner}:
      </strong>{' '}
      <code>{id}</code>. <Link to={rosterAddress(query)}>Keys of this {owner}</Link>
    </p>
  ));
}
