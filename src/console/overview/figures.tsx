import type { ComponentChildren } from 'preact';
import { DAY_MS } from '../../report/age.ts';
import { maxAge, noDefaultWorkspace } from '../../report/policies.ts';
import type { Snapshot } from '../../report/roster-report.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { numberText } from '../walk/keys-text.ts';
import type { RosterQuery } from '../walk/query.ts';
import { queryOfOlder } from './ranges.ts';
import type { Coverage, RosterCount } from './roster-count.ts';
import { NotReached, SoFar } from './so-far.tsx';
import { ThresholdControl } from './threshold-control.tsx';

export interface Threshold {
  readonly days: number;
  readonly onDays: (days: number) => void;
}

interface FiguresProps {
  readonly count: RosterCount;
  readonly snapshot: Snapshot;
  readonly threshold: Threshold;
}

/** The numbers that are asked for first. The words of the policies are those of `keyroster report`. */
export function Figures({ count, snapshot, threshold }: FiguresProps) {
  const { keys, active, default_workspace, by_creator_type } = snapshot;
  const { days } = threshold;
  const older = queryOfOlder(days, count.now);
  const serviceAccounts = by_creator_type.find(({ type }) => type === 'service_account');
  const coverage = count.coverageOf({});
  const counted = coverage === 'all' ? '' : ' counted so far';
  return (
    <div class="figures">
      <Figure label="API keys" keys={keys} shows={{}} coverage={coverage} />
      <Figure label="active" keys={active} shows={{ status: 'active' }} coverage={coverage}>
        {shareText(active, keys)} of {counted ? `the keys${counted}` : 'all keys'}
      </Figure>
      <Figure
        label={maxAge(days).breach}
        keys={count.figures.activeOlderThan(days * DAY_MS)}
        shows={older}
        coverage={count.coverageOf(older)}
      >
        <ThresholdControl {...threshold} />
      </Figure>
      <Figure
        label={noDefaultWorkspace.breach}
        keys={default_workspace.active}
        shows={{ status: 'active', default_workspace: 'true' }}
        coverage={coverage}
      >
        {shareText(default_workspace.active, active)} of the active keys{counted}
      </Figure>
      <Figure
        label="active and created by a service account"
        keys={serviceAccounts?.active ?? 0}
        shows={{ status: 'active', creator_type: 'service_account' }}
        coverage={coverage}
      >
        {shareText(serviceAccounts?.active ?? 0, active)} of the active keys{counted}
      </Figure>
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  readonly keys: number;
  readonly shows: RosterQuery;
  readonly coverage: Coverage;
  readonly children?: ComponentChildren;
}

function Figure({ label, keys, shows, coverage, children }: FigureProps) {
  return (
    <div class="figure">
      <Link to={rosterAddress(shows)} class="figure-link">
        <span class="figure-label">{label}</span>{' '}
        <span class="figure-number">
          {coverage === 'none' ? '– ' : numberText(keys)}
          {coverage === 'none' && <NotReached />}
          {coverage === 'some' && <SoFar />}
        </span>
      </Link>
      <div class="figure-note">{children}</div>
    </div>
  );
}

/** Rounded down, so that 100 % is all. */
function shareText(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((100 * part) / whole)} %`;
}
