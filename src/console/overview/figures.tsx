import type { ComponentChildren } from 'preact';
import { DAY_MS } from '../../report/age.ts';
import { maxAge, noDefaultWorkspace } from '../../report/policies.ts';
import type { Snapshot } from '../../report/roster-report.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import type { RosterQuery } from '../walk/query.ts';
import { number } from './bars.tsx';
import { queryOfOlder } from './ranges.ts';
import type { RosterCount } from './roster-count.ts';
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
  const serviceAccounts = by_creator_type.find(({ type }) => type === 'service_account');
  return (
    <div class="figures">
      <Figure label="API keys" keys={keys} shows={{}} />
      <Figure label="active" keys={active} shows={{ status: 'active' }}>
        {shareText(active, keys)} of all keys
      </Figure>
      <Figure
        label={maxAge(days).breach}
        keys={count.figures.activeOlderThan(days * DAY_MS)}
        shows={queryOfOlder(days, count.now)}
      >
        <ThresholdControl {...threshold} />
      </Figure>
      <Figure
        label={noDefaultWorkspace.breach}
        keys={default_workspace.active}
        shows={{ status: 'active', default_workspace: 'true' }}
      >
        {shareText(default_workspace.active, active)} of the active keys
      </Figure>
      <Figure
        label="active and created by a service account"
        keys={serviceAccounts?.active ?? 0}
        shows={{ status: 'active', creator_type: 'service_account' }}
      >
        {shareText(serviceAccounts?.active ?? 0, active)} of the active keys
      </Figure>
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  readonly keys: number;
  readonly shows: RosterQuery;
  readonly children?: ComponentChildren;
}

function Figure({ label, keys, shows, children }: FigureProps) {
  return (
    <div class="figure">
      <Link to={rosterAddress(shows)} class="figure-link">
        <span class="figure-label">{label}</span> <span class="figure-number">{number(keys)}</span>
      </Link>
      <div class="figure-note">{children}</div>
    </div>
  );
}

/** Rounded down, so that 100 % is all. */
function shareText(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((100 * part) / whole)} %`;
}
