import { useCallback, useEffect, useMemo } from 'preact/hooks';
import { ErrorNotice } from '../shell/error-notice.tsx';
import type { Session } from '../shell/session.ts';
import { download } from '../walk/download.ts';
import type { FileFormatName } from '../walk/file-formats.ts';
import { Progress, STOPPED, useLongWork } from '../walk/long-work.tsx';
import { readRoster } from '../walk/read-roster.ts';
import { Chart } from './chart.tsx';
import { MONTHS_SHOWN, Tally, TOP } from './tally.ts';

interface OverviewProps {
  readonly session: Session;
  /** Kept by the caller, so that it is still there after a visit to the roster. */
  readonly tally: Tally | null;
  readonly onTally: (tally: Tally | null) => void;
  readonly onKeyRefused: () => void;
}

export function OverviewView({ session, tally, onTally, onKeyRefused }: OverviewProps) {
  const work = useLongWork(onKeyRefused);
  const { start } = work;

  const count = useCallback(() => {
    const counted = new Tally();
    start('Reading the roster', async (signal, onProgress) => {
      try {
        await readRoster(session, signal, keys => {
          for (const key of keys) counted.add(key);
          onProgress(counted.count);
        });
      } catch (error) {
        // After Stop or an error, the newest keys are counted and shown. After leaving the view, they aren't: the session may be over.
        if (!signal.aborted || signal.reason === STOPPED) onTally(counted);
        throw error;
      }
      counted.complete = true;
      onTally(counted);
    });
  }, [session, start, onTally]);
  // Counts without a click only when there is nothing to show yet.
  useEffect(() => {
    if (!tally) count();
  }, [count]);

  const save = (format: FileFormatName) =>
    start(`Reading the roster for the ${format.toUpperCase()} file`, (signal, onProgress) =>
      download(session, format, signal, onProgress),
    );
  const busy = work.running !== null;

  return (
    <>
      <h1>Overview</h1>
      <div class="row toolbar">
        <button type="button" aria-disabled={busy} onClick={() => busy || count()}>
          Count again
        </button>
        <button type="button" aria-disabled={busy} onClick={() => busy || save('csv')}>
          Download CSV
        </button>
        <button type="button" aria-disabled={busy} onClick={() => busy || save('json')}>
          Download JSON
        </button>
      </div>
      {work.running && <Progress {...work.running} onStop={work.stop} />}
      {work.error !== null && <ErrorNotice error={work.error} onRetry={work.again} />}
      {tally && <Charts tally={tally} />}
    </>
  );
}

function Charts({ tally }: { readonly tally: Tally }) {
  const charts = useMemo(
    () => ({
      status: tally.byStatus(),
      age: tally.byAge(),
      months: tally.byMonth(),
      workspaces: tally.topWorkspaces(),
      creators: tally.topCreators(),
    }),
    [tally],
  );
  const number = tally.count.toLocaleString('en');
  if (tally.count === 0) {
    return (
      <p class="empty">{tally.complete ? 'This organization has no API keys yet.' : 'Nothing was read.'}</p>
    );
  }
  return (
    <>
      <p>
        {tally.complete ? `${number} API keys.` : `Not all of them: the newest ${number} API keys.`} Click a
        bar to see its keys.
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
