import type { Owner } from '../../find/known.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import type { RosterQuery } from '../walk/query.ts';

const queryFor = {
  creator: id => ({ created_by_user_id: id }),
  workspace: id => ({ workspace_id: id }),
} satisfies Record<Owner, (id: string) => RosterQuery>;

interface OwnerNoticeProps {
  readonly owner: Owner;
  readonly id: string;
  /** Whether a record has the ID. Otherwise it only looks like one. */
  readonly sure: boolean;
}

/** That an ID isn't of a key, and the way to the keys of whom it is. */
export function OwnerNotice({ owner, id, sure }: OwnerNoticeProps) {
  return (
    <p class="card lead">
      <strong>
        {sure ? 'This is' : 'This looks like'} the ID of a {owner}:
      </strong>{' '}
      <code>{id}</code>. <Link to={rosterAddress(queryFor[owner](id))}>Keys of this {owner}</Link>
    </p>
  );
}
