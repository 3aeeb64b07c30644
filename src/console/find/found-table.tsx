// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import type { ComponentChildren } from 'preact';
import { exactTime } from '../roster/created.tsx';
import { badgeClassesOf } from '../roster/statuses.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { type Found, placeOf } from './found.ts';
import type { MatchKind } from './match.ts';
import { namePartsOf } from './name-parts.ts';
import { type Question, questionText } from './question.ts';

const COLUMNS = ['Name', 'ID', 'Hint', 'Status', 'Workspace', 'Creator', 'Created'] as const;

/** The keys that were found, the newest first. What each was found by is marked. On a narrow screen each row is a card. */
export function FoundTable({
  question,
  found,
}: {
  readonly question: Question;
  readonly found: readonly Found[];
}) {
  return (
    <div class="table-box">
      <table role="table" class="table found-keys">
        <caption class="visually-hidden">Keys that were found, newest first</caption>
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map(name => (
              <th key={name} role="columnheader">
                {name}
              </th>
            ))}
            <th role="columnheader">Place</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {found.map(each => (
            <Row key={each.key.id} found={each} question={question} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ found, question }: { readonly found: Found; readonly question: Question }) {
  const { id, name, partial_key_hint, status, workspace_id, created_by, created_at } = found.key;
  return (
    <tr role="row">
      <td role="cell" title={name}>
        <FoundName name={name} isFound={found.by === 'name'} question={question} />
      </td>
      <td role="cell" data-label="ID" class="mono" title={id}>
        <Marked by="ID" found={found}>
          <span class="middle">
            <span>{id.slice(0, -4)}</span>
            <span>{id.slice(-4)}</span>
          </span>
        </Marked>
      </td>
      <td role="cell" data-label="Hint" class="mono" title={partial_key_hint}>
        <Marked by="hint" found={found}>
          {partial_key_hint}
        </Marked>
      </td>
      <td role="cell" data-label="Status">
        <span class={`badge ${badgeClassesOf(status)}`}>{status}</span>
      </td>
      <td role="cell" data-label="Workspace" title={workspace_id ?? undefined}>
        {workspace_id === null ? (
          <span class="muted">default</span>
        ) : (
          <Link class="mono" to={rosterAddress({ workspace_id })} title={workspace_id}>
            {workspace_id}
          </Link>
        )}
      </td>
      <td role="cell" data-label="Creator">
        <Link
          class="mono"
          to={rosterAddress({ created_by_user_id: created_by.id })}
          title={`${created_by.id} (${created_by.type.replace('_', ' ')})`}
        >
          {created_by.id}
        </Link>
      </td>
      <td role="cell" data-label="Created">
        <time dateTime={created_at} title={exactTime(created_at)}>
          {created_at.slice(0, 10)}
        </time>
      </td>
      <td role="cell">
        <Link to={placeOf(found)}>
          Roster<span class="visually-hidden"> from {id} on</span>
        </Link>
      </td>
    </tr>
  );
}

interface MarkedProps {
  readonly by: MatchKind;
  readonly found: Found;
  readonly children: ComponentChildren;
}

function Marked({ by, found, children }: MarkedProps): ComponentChildren {
  return found.by === by ? <mark>{children}</mark> : children;
}

/** The name as text. `bdi` keeps right-to-left text in it from reordering what is beside it. */
function FoundName({
  name,
  isFound,
  question,
}: {
  readonly name: string;
  readonly isFound: boolean;
  readonly question: Question;
}) {
  if (name.trim() === '') return <em class="muted">no name</em>;
  const parts = question.kind === 'key' ? null : namePartsOf(name, questionText(question));
  if (parts === null) return <bdi class="truncate">{isFound ? <mark>{name}</mark> : name}</bdi>;
  return (
    <bdi class="truncate">
      {parts.before}
      <mark>{parts.match}</mark>
      {parts.after}
    </bdi>
  );
}
