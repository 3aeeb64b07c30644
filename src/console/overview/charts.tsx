import { bandText } from '../../report/age.ts';
import type { CreatorCount, Snapshot } from '../../report/roster-report.ts';
import type { Count } from '../../report/status-counts.ts';
import { CreatorType } from '../roster/creator-type.tsx';
import { KeyName } from '../roster/key-name.tsx';
import { Middle } from '../roster/middle.tsx';
import { badgeClassesOf, statuses } from '../roster/statuses.ts';
import { type Bar, Bars } from './bars.tsx';
import { Chart } from './chart.tsx';
import { FirstGroups } from './first-groups.tsx';
import { Months } from './months.tsx';
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
    coverage: count.coverageOf(queryOfBand(band, count.now)),
  }));
  const isSoFar = count.coverageOf({}) !== 'all';
  return (
    <>
      <Chart title="By status" isSoFar={isSoFar}>
        <Bars bars={snapshot.by_status.map(statusBar)} withActive={false} />
      </Chart>
      <Chart title="By age">
        <Bars bars={ages} />
      </Chart>
      <FirstGroups
        title="Workspaces with the most active keys"
        groups={snapshot.workspaces}
        isSoFar={isSoFar}
      >
        {({ workspace_id: id, ...counts }) => ({
          id: `workspace ${id}`,
          label: id === null ? 'Default workspace' : <Middle text={id} />,
          count: counts,
          shows: id === null ? { default_workspace: 'true' } : { workspace_id: id },
        })}
      </FirstGroups>
      <FirstGroups title="Creators with the most active keys" groups={snapshot.creators} isSoFar={isSoFar}>
        {group => creatorBar(group, count)}
      </FirstGroups>
      <FirstGroups title="Names used more than once" groups={snapshot.repeated_names} isSoFar={isSoFar}>
        {({ name, ...counts }) => ({
          id: name,
          label: <KeyName name={name} />,
          count: counts,
          shows: { name },
        })}
      </FirstGroups>
      <OldestKeys keys={isSoFar ? null : snapshot.oldest_active_keys} now={count.now} />
      <Months count={count} byMonth={snapshot.by_month} />
    </>
  );
}

function statusBar({ status, keys }: Snapshot['by_status'][number]): Bar {
  const none = Object.fromEntries(statuses.map(each => [each, 0])) as Count['statuses'];
  return {
    id: status,
    label: <span class={`badge ${badgeClassesOf(status)}`}>{status}</span>,
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
