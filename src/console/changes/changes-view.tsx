import { useState } from 'preact/hooks';
import { type Change, KINDS, type Kind, valueText } from '../../admin/saved/changes.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { FilePicker } from '../files/dropped-files.tsx';
import { MAX_SAVED } from '../files/saved-roster.ts';
import { PersonName, WorkspaceName } from '../people/names.tsx';
import { Created } from '../roster/created.tsx';
import { KeyName } from '../roster/key-name.tsx';
import { StatusBadge } from '../roster/status-badge.tsx';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { useChanges } from '../shell/observable.ts';
import { keysText, numberText } from '../walk/keys-text.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import type { Desk } from '../worklist/desk.ts';
import { MAX_SHOWN, type RosterChanges } from './roster-changes.ts';

/** What has changed since a roster was saved. */
export function ChangesView({ desk }: { readonly desk: Desk }) {
  const { changes } = desk;
  return (
    <>
      <div class="title">
        <h1>Changes</h1>
        {changes && (
          <p class="muted">
            since {changes.file}, {keysText(changes.saved)}
          </p>
        )}
        <div class="row end">
          <FilePicker desk={desk} label="Open a saved roster…" />
        </div>
      </div>
      {changes ? (
        <ChangeList changes={changes} />
      ) : (
        <p class="empty">
          Drop a roster that was saved earlier into this page, and see what has changed since. It is a
          download of the console, or what <code>keyroster-admin watch</code> keeps or{' '}
          <code>list --all --format jsonl</code> writes, of at most {keysText(MAX_SAVED)}. It is never sent.
        </p>
      )}
    </>
  );
}

/** The changes of all kinds, or of one. */
function ChangeList({ changes: { walk, counts, shown } }: { readonly changes: RosterChanges }) {
  const [kind, setKind] = useState<Kind | null>(null);
  useChanges(walk);
  const rows = shown.filter(change => kind === null || change.kind === kind);
  const found = KINDS.filter(each => counts[each] > 0);
  return (
    <>
      <WalkProgress what="Reading the roster" walk={walk} />
      <p class="row">
        {found.map(each => (
          <button
            key={each}
            type="button"
            class="small"
            aria-pressed={each === kind}
            onClick={() => setKind(each === kind ? null : each)}
          >
            {numberText(counts[each])} {each}
          </button>
        ))}
        {found.some(each => counts[each] > MAX_SHOWN) && (
          <span class="muted small">Of each kind at most {MAX_SHOWN} are listed.</span>
        )}
      </p>
      {walk.state.kind === 'complete' && found.length === 0 && <p class="empty">Nothing has changed.</p>}
      <div class="table-box">
        <table class="table changes">
          <tbody>
            {rows.map(change => (
              <tr key={[change.id, change.kind, change.field].join()}>
                <td>{change.kind}</td>
                <td title={change.id}>
                  <Link class="open" data-row to={rosterAddress({}, change.id)}>
                    <KeyName name={change.name} />
                  </Link>
                </td>
                <td>
                  <WhatChanged change={change} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Of a key that is added or gone what it is. */
function WhatChanged({ change: { kind, field, old, new: now } }: { readonly change: Change }) {
  if (field === null) {
    const record = (now ?? old) as ApiKeyRecord;
    return (
      <>
        <StatusBadge apiKey={record} /> <PersonName id={record.created_by.id} />{' '}
        <Created at={record.created_at} />
      </>
    );
  }
  const [before, after] = [old, now].map(value => {
    if (field === 'workspace_id') return <WorkspaceName id={value === null ? null : String(value)} />;
    return valueText(value) || 'none';
  });
  return (
    <>
      {kind === 'changed' && `${field}: `}
      <span class="muted">{before}</span> → {after}
    </>
  );
}
