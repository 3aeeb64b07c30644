import { useEffect } from 'preact/hooks';
import { scopeWords } from '../../shared/record/list-query.ts';
import type { Session } from '../shell/session.ts';
import { keysText, numberText } from '../walk/keys-text.ts';
import { useWalk } from '../walk/use-walk.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import { Charts } from './charts.tsx';
import { Figures, type Threshold } from './figures.tsx';
import { RosterCount } from './roster-count.ts';

interface OverviewProps {
  readonly session: Session;
  /** Kept by the caller: it goes on while another view is shown. */
  readonly count: RosterCount | null;
  readonly onCount: (count: RosterCount) => void;
  /** Kept by the caller too. */
  readonly threshold: Threshold;
}

export function OverviewView({ session, count, onCount, threshold }: OverviewProps) {
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
      <h1>Overview{session.scope && ` of ${scopeWords(session.scope)}`}</h1>
      <div class="toolbar">
        <button type="button" onClick={countAgain}>
          Count again
        </button>
        {count?.total !== undefined && (
          <span class="end small muted">
            {keysText(count.total)}, as of {count.asOf}
          </span>
        )}
      </div>
      {count && <WalkProgress what="Reading the roster" walk={count.walk} />}
      {count && <Answer count={count} threshold={threshold} />}
    </>
  );
}

interface AnswerProps {
  readonly count: RosterCount;
  readonly threshold: Threshold;
}

/** The figures of the keys that were read so far. The walk tells of its progress a few times a second, so they change as often. */
function Answer({ count, threshold }: AnswerProps) {
  const isComplete = count.total !== undefined;
  if (count.walk.read === 0) return isComplete ? <p class="empty">There are no API keys yet.</p> : null;
  const snapshot = count.figures.snapshot();
  return (
    <div class={isComplete ? 'charts' : 'charts partial'}>
      {!isComplete && (
        <p>
          <strong>Not all keys:</strong> these are figures of the newest {numberText(snapshot.keys)} so far.
          The oldest keys are read last.
        </p>
      )}
      <Figures snapshot={snapshot} now={count.now} threshold={threshold} />
      <Charts count={count} snapshot={snapshot} />
    </div>
  );
}
