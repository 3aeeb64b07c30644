import type { ComponentChildren } from 'preact';
import type { Count } from '../../report/status-counts.ts';
import { badgeClassesOf } from '../roster/statuses.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { numberText } from '../walk/keys-text.ts';
import type { RosterQuery } from '../walk/query.ts';
import type { Coverage } from './roster-count.ts';
import { NotReached, SoFar } from './so-far.tsx';

export interface Bar {
  /** Of this bar alone. */
  readonly id: string;
  readonly label: ComponentChildren;
  readonly count: Count;
  /** The roster with exactly these keys; `null` where no filter has them. */
  readonly shows: RosterQuery | null;
  readonly isBarless?: true;
  /** How many of its keys the count has read, where that differs from bar to bar. */
  readonly coverage?: Coverage;
}

interface BarsProps {
  readonly bars: readonly Bar[];
  /** The number of keys of a bar as long as there is room. */
  readonly max?: number;
  /** Whether the active keys have a column of their own. */
  readonly withActive?: boolean;
}

/** Horizontal bars, split by status. Who can't see them has the same numbers as text: the bars only show them again. */
export function Bars({ bars, max = longest(bars), withActive = true }: BarsProps) {
  return (
    <ul class="bars">
      <li class="bar-row bar-head" aria-hidden="true">
        <span class="number">Keys</span>
        {withActive && <span class="number">Active</span>}
      </li>
      {bars.map(bar => (
        <li key={bar.id} class="bar-row">
          {bar.coverage === 'none' ? (
            <UnreadBar {...bar} />
          ) : (
            <ReadBar {...bar} max={max} withActive={withActive} />
          )}
        </li>
      ))}
    </ul>
  );
}

function UnreadBar({ label }: Bar) {
  return (
    <>
      <span class="bar-label">{label}</span>
      <span class="unread">
        – <NotReached />
      </span>
    </>
  );
}

function ReadBar({
  label,
  count,
  shows,
  isBarless,
  coverage,
  max,
  withActive,
}: Bar & Required<Pick<BarsProps, 'max' | 'withActive'>>) {
  return (
    <>
      <span class="bar-label">
        {shows && count.keys > 0 ? <Link to={rosterAddress(shows)}>{label}</Link> : label}
        {coverage === 'some' && <SoFar />}
      </span>
      <span class="bar-track" aria-hidden="true">
        {!isBarless &&
          Object.entries(count.statuses).map(([status, keys]) => (
            <BarPart key={status} status={status} share={keys / max} />
          ))}
      </span>
      <span class="number">
        {numberText(count.keys)}
        <span class="visually-hidden"> {count.keys === 1 ? 'key' : 'keys'},</span>
      </span>
      {withActive && <ActiveCount active={count.active} shows={shows} />}
    </>
  );
}

export function longest(bars: readonly Pick<Bar, 'count' | 'isBarless'>[]): number {
  return Math.max(1, ...bars.filter(({ isBarless }) => !isBarless).map(({ count }) => count.keys));
}

function BarPart({ status, share }: { readonly status: string; readonly share: number }) {
  if (share === 0) return null;
  return <span class={`bar-part ${badgeClassesOf(status)}`} style={{ width: `${100 * share}%` }} />;
}

function ActiveCount({ active, shows }: { readonly active: number } & Pick<Bar, 'shows'>) {
  const text = (
    <>
      {numberText(active)}
      <span class="visually-hidden"> active</span>
    </>
  );
  const isLink = shows !== null && active > 0;
  return (
    <span class="number">
      {isLink ? <Link to={rosterAddress({ ...shows, status: 'active' })}>{text}</Link> : text}
    </span>
  );
}
