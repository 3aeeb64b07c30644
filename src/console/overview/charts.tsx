import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { bandText } from '../../admin/report/age.ts';
import type { CreatorCount, FirstOf, Snapshot } from '../../admin/report/roster-report.ts';
import type { Count } from '../../admin/report/status-counts.ts';
import { parseStatus, STATUSES } from '../../shared/record/status.ts';
import { CreatorType } from '../roster/creator-type.tsx';
import { KeyName } from '../roster/key-name.tsx';
import { Middle } from '../roster/middle.tsx';
import { numberText } from '../walk/keys-text.ts';
import { type Bar, Bars } from './bars.tsx';
import { OldestKeys } from './oldest-keys.tsx';
import { queryOfBand } from './ranges.ts';
import type { RosterCount } from './roster-count.ts';

interface ChartsProps {
  readonly count: RosterCount;
  readonly snapshot: Snapshot;
}

export function Charts({ count, snapshot }: ChartsProps) {
  const ages = snapshot.by_age.map(band => ({
    id: bandText(band),
    label: bandText(band),
    count: band,
    shows: queryOfBand(band, count.now),
  }));
  return (
    <div class="cards">
      <Chart title="By status">
        <Bars bars={snapshot.by_status.map(statusBar)} withActive={false} />
      </Chart>
      <Chart title="By age">
        <Bars bars={ages} />
      </Chart>
      <FirstGroups title="Workspaces with the most active keys" groups={snapshot.workspaces}>
        {({ workspace_id: id, ...counts }) => ({
          id: `workspace ${id}`,
          label: id === null ? 'Default workspace' : <Middle text={id} />,
          count: counts,
          shows: id === null ? { default_workspace: 'true' } : { workspace_id: id },
        })}
      </FirstGroups>
      <FirstGroups title="Creators with the most active keys" groups={snapshot.creators}>
        {group => creatorBar(group, count)}
      </FirstGroups>
      <FirstGroups title="Names used more than once" groups={snapshot.repeated_names}>
        {({ name, ...counts }) => ({
          id: name,
          label: <KeyName name={name} />,
          count: counts,
          shows: { name },
        })}
      </FirstGroups>
      <Chart title="Oldest active keys">
        {count.total === undefined ? (
          <p>Known once all keys are read.</p>
        ) : (
          <OldestKeys keys={snapshot.oldest_active_keys} />
        )}
      </Chart>
    </div>
  );
}

function Chart({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const FIRST = 10;

interface FirstGroupsProps<Group> {
  readonly title: string;
  readonly groups: FirstOf<Group>;
  readonly children: (group: Group) => Bar;
}

/** A chart of groups that may be as many as the keys: the first ones, and by a button all of which the count has the order. */
function FirstGroups<Group>({ title, groups: { first, total }, children: barOf }: FirstGroupsProps<Group>) {
  const [isLong, setLong] = useState(false);
  const shown = first.slice(0, isLong ? first.length : FIRST);
  const more = total - shown.length;
  return (
    <Chart title={title}>
      {total === 0 ? <p class="small muted">None.</p> : <Bars bars={shown.map(barOf)} />}
      {first.length > FIRST && (
        <button type="button" class="small" onClick={() => setLong(!isLong)}>
          {isLong ? `Show only the first ${FIRST}` : `Show ${numberText(first.length - FIRST)} more`}
        </button>
      )}
      {isLong && more > 0 && (
        <p class="small muted">
          And {numberText(more)} more: “keyroster-admin report --format json” has all.
        </p>
      )}
    </Chart>
  );
}

function statusBar({ status, keys }: Snapshot['by_status'][number]): Bar {
  const none = Object.fromEntries(STATUSES.map(each => [each, 0])) as Count['statuses'];
  return {
    id: status,
    label: <span class={`badge ${parseStatus(status) ?? ''}`}>{status}</span>,
    count: { keys, active: 0, statuses: { ...none, [status]: keys } },
    shows: { status },
  };
}

/** The service's filter compares the ID alone, which a user and a service account may share. */
function creatorBar({ creator: { id, type }, ...counts }: CreatorCount, { figures }: RosterCount): Bar {
  const isShared = figures.countOf({ created_by_user_id: id }) !== counts.keys;
  return {
    id: `${type} ${id}`,
    label: (
      <>
        <Middle text={id} />
        {isShared && '\u00a0'}
        {isShared && <CreatorType type={type} />}
      </>
    ),
    count: counts,
    shows: { created_by_user_id: id, ...(isShared && { creator_type: type }) },
  };
}
