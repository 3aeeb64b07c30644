import type { ComponentChildren } from 'preact';
import type { Count } from '../../admin/report/status-counts.ts';
import { parseStatus } from '../../shared/record/status.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { numberText } from '../walk/keys-text.ts';
import type { RosterQuery } from '../walk/query.ts';

export interface Bar {
  /** Of this bar alone. */
  readonly id: string;
  readonly label: ComponentChildren;
  readonly count: Count;
  /** The roster with exactly these keys. */
  readonly shows: RosterQuery;
}

interface BarsProps {
  readonly bars: readonly Bar[];
  /** Whether the active keys have a column of their own. */
  readonly withActive?: boolean;
}

/** Horizontal bars, split by status. Who can't see them has the same numbers as text: the bars only show them again. */
export function Bars({ bars, withActive = true }: BarsProps) {
  const longest = Math.max(1, ...bars.map(({ count }) => count.keys));
  return (
    <ul class="bars">
      <li class="bar-row bar-head" aria-hidden="true">
        <span class="number">Keys</span>
        {withActive && <span class="number">Active</span>}
      </li>
      {bars.map(({ id, label, count: { keys, active, statuses }, shows }) => (
        <li key={id} class="bar-row">
          <span class="bar-label">{keys > 0 ? <Link to={rosterAddress(shows)}>{label}</Link> : label}</span>
          <span class="bar-track" aria-hidden="true">
            {Object.entries(statuses).map(([status, count]) => (
              <BarPart key={status} status={status} share={count / longest} />
            ))}
          </span>
          <span class="number">
            {numberText(keys)}
            <span class="visually-hidden"> {keys === 1 ? 'key' : 'keys'},</span>
          </span>
          {withActive && <ActiveCount active={active} shows={shows} />}
        </li>
      ))}
    </ul>
  );
}

function BarPart({ status, share }: { readonly status: string; readonly share: number }) {
  if (share === 0) return null;
  return <span class={`bar-part ${parseStatus(status) ?? ''}`} style={{ width: `${100 * share}%` }} />;
}

function ActiveCount({ active, shows }: { readonly active: number } & Pick<Bar, 'shows'>) {
  const text = (
    <>
      {numberText(active)}
      <span class="visually-hidden"> active</span>
    </>
  );
  return (
    <span class="number">
      {active > 0 ? <Link to={rosterAddress({ ...shows, status: 'active' })}>{text}</Link> : text}
    </span>
  );
}
