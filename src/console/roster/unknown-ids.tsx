import { Fragment } from 'preact';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { type RosterQuery, withFilter } from '../walk/query.ts';
import type { KnownIds } from './filter-field.tsx';

const MAX_SIMILAR = 5;

const kinds = [
  { name: 'workspace_id', noun: 'workspace', idsOf: ({ workspaces }: KnownIds) => workspaces },
  { name: 'created_by_user_id', noun: 'creator', idsOf: ({ creators }: KnownIds) => creators },
] as const;

interface UnknownIdsProps {
  readonly query: RosterQuery;
  readonly known: KnownIds;
}

/** For an empty list: which of its IDs isn't among those that were read, with the known ones that begin so or have it within. */
export function UnknownIds({ query, known }: UnknownIdsProps) {
  const unknown = kinds.flatMap(({ name, noun, idsOf }) => {
    const id = query[name];
    const ids = [...idsOf(known)];
    return id === undefined || ids.includes(id) ? [] : [{ name, noun, id, similar: similarTo(id, ids) }];
  });
  return unknown.map(({ name, noun, id, similar }) => (
    <p key={name}>
      No {noun} with the ID <span class="mono">{id}</span> is known from the keys that were read so far.
      {similar.length > 0 && ' Similar ones: '}
      {similar.map((each, index) => (
        <Fragment key={each}>
          {index > 0 && ', '}
          <Link class="mono" to={rosterAddress(withFilter(query, name, each))}>
            {each}
          </Link>
        </Fragment>
      ))}
    </p>
  ));
}

function similarTo(id: string, ids: readonly string[]): readonly string[] {
  const part = id.toLowerCase();
  const begin = ids.filter(each => each.toLowerCase().startsWith(part));
  const have = begin.length > 0 ? begin : ids.filter(each => each.toLowerCase().includes(part));
  return have.slice(0, MAX_SIMILAR);
}
