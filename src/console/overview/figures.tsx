import type { ComponentChildren } from 'preact';
import { ageBands } from '../../admin/report/age.ts';
import { noDefaultWorkspace } from '../../admin/report/policies.ts';
import type { Snapshot } from '../../admin/report/roster-report.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { numberText } from '../walk/keys-text.ts';
import type { RosterQuery } from '../walk/query.ts';
import { queryOfBand } from './ranges.ts';

/** From which age on an active key counts as old. A band of ages begins there, so that its keys are counted already. */
export interface Threshold {
  readonly days: number;
  readonly onDays: (days: number) => void;
}

export const DEFAULT_THRESHOLD = 365;
const THRESHOLDS = ageBands.map(({ from_days }) => from_days).filter(days => days > 0);

interface FiguresProps {
  readonly snapshot: Snapshot;
  /** Of the ages. */
  readonly now: Date;
  readonly threshold: Threshold;
}

/** The numbers that are asked for first. */
export function Figures({ snapshot, now, threshold: { days, onDays } }: FiguresProps) {
  const { keys, active, expired = 0, default_workspace, by_creator_type, by_age } = snapshot;
  const old = by_age.filter(({ from_days }) => from_days >= days).reduce((sum, band) => sum + band.active, 0);
  const serviceAccounts = by_creator_type.find(({ type }) => type === 'service_account')?.active ?? 0;
  return (
    <div class="figures">
      <Figure label="API keys" keys={keys} shows={{}} />
      <Figure label="active" keys={active} shows={{ status: 'active' }}>
        {shareText(active, keys)} of all keys
        {expired > 0 && (
          <>
            , <Link to={rosterAddress({ expired: 'true' })}>{numberText(expired)} of them expired</Link>
          </>
        )}
      </Figure>
      <Figure
        label={`active for ${days} days or more`}
        keys={old}
        shows={{ status: 'active', ...queryOfBand({ from_days: days, to_days: null }, now) }}
      >
        <select
          aria-label="Old from"
          value={String(days)}
          onChange={({ currentTarget: { value } }) => onDays(Number(value))}
        >
          {THRESHOLDS.map(each => (
            <option key={each} value={String(each)}>
              {each} days
            </option>
          ))}
        </select>
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
        keys={serviceAccounts}
        shows={{ status: 'active', creator_type: 'service_account' }}
      >
        {shareText(serviceAccounts, active)} of the active keys
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
        <span class="figure-label">{label}</span> <span class="figure-number">{numberText(keys)}</span>
      </Link>
      <div class="figure-note">{children}</div>
    </div>
  );
}

/** Rounded down, so that 100 % is all. */
function shareText(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((100 * part) / whole)} %`;
}
