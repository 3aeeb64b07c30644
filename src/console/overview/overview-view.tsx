import { useEffect, useMemo } from 'preact/hooks';
import type { Session } from '../shell/session.ts';
import { useWalk } from '../walk/use-walk.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import { Chart } from './chart.tsx';
import { RosterCount } from './roster-count.ts';
import { MONTHS_SHOWN, TOP } from './tally.ts';

interface OverviewProps {
  readonly session: Session;
  /** Kept by the caller: it goes on while another view is shown. */
  readonly count: RosterCount | null;
  readonly onCount: (count: RosterCount) => void;
}

export function OverviewView({ session, count, onCount }: OverviewProps) {
  useWalk(count?.walk ?? null);
  const countAgain = () => {
    count?.walk.stop();
    const next = new RosterCount(session);
    onCount(next);
    next.walk.run();
  };
  // Counts without a click only when there is nothing to show yet.
  useEffect(() => {
    if (!count) countAgain();
  }, [count]);

  return (
    <>
      <h1>Overview</h1>
      <div class="row toolbar">
        <button type="button" onClick={countAgain}>
          Count again
        </button>
        <button type="button" onClick={() => session.downloads.start(session, {}, 'csv')}>
          Download CSV
        </button>
        <button type="button" onClick={() => session.downloads.start(session, {}, 'json')}>
          Download JSON
        </button>
      </div>
      {count && <WalkProgress what="Reading the roster" walk={count.walk} />}
      {count && count.walk.state.kind !== 'running' && <Charts count={count} />}
    </>
  );
}

function Charts({ count: { tally, walk } }: { readonly count: RosterCount }) {
  const complete = walk.state.kind === 'complete';
  const charts = useMemo(
    () => ({
      status: tally.byStatus(),
      age: tally.byAge(),
      months: tally.byMonth(),
      workspaces: tally.topWorkspaces(),
      creators: tally.topCreators(),
    }),
    [tally, tally.count],
  );
  const number = tally.count.toLocaleString('en');
  if (tally.count === 0) {
    return <p class="empty">{complete ? 'This organization has no API keys yet.' : 'Nothing was read.'}</p>;
  }
  return (
    <>
      <p>
        {complete ? `${number} API keys.` : `Not all of them: the newest ${number} API keys.`} Click a bar to
        see its keys.
      </p>
      <div class="charts">
        <Chart title="By status" bars={charts.status} horizontal />
        <Chart
          title="By age"
          bars={charts.age}
          horizontal
          note="Opens the roster at the newest key of that age."
        />
        <Chart
          title="Created per month"
          bars={charts.months}
          note={`The last ${MONTHS_SHOWN} months, UTC. Opens the roster at the newest key of that month.`}
        />
        <Chart title={`Top ${TOP} workspaces`} bars={charts.workspaces} horizontal />
        <Chart title={`Top ${TOP} creators`} bars={charts.creators} horizontal />
      </div>
    </>
  );
}
