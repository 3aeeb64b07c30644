import { useState } from 'preact/hooks';
import type { FirstOf } from '../../report/roster-report.ts';
import { numberText } from '../walk/keys-text.ts';
import { type Bar, Bars } from './bars.tsx';
import { Chart } from './chart.tsx';

const FIRST = 10;
const STEP = 100;

interface FirstGroupsProps<Group> {
  readonly title: string;
  readonly groups: FirstOf<Group>;
  readonly isSoFar: boolean;
  readonly children: (group: Group) => Bar;
}

/** A chart of groups that may be as many as the keys: the first ones, and more by a button as far as the count has their order. */
export function FirstGroups<Group>({ title, groups, isSoFar, children: barOf }: FirstGroupsProps<Group>) {
  const { first, total } = groups;
  const [max, setMax] = useState(FIRST);
  const shown = Math.min(max, first.length);
  const next = Math.min(shown + STEP, first.length) - shown;
  const more = total - shown;
  const note = total === 0 ? 'None.' : more > 0 ? `And ${numberText(more)} more.` : null;
  return (
    <Chart title={title} isSoFar={isSoFar} note={next === 0 && more > 0 ? `${note} ${BEYOND}` : note}>
      {total > 0 && <Bars bars={first.slice(0, max).map(barOf)} />}
      {/* One button, so that it keeps the focus. */}
      {first.length > FIRST && (
        <button type="button" class="small" onClick={() => setMax(next > 0 ? shown + next : FIRST)}>
          {next > 0 ? `Show ${numberText(next)} more` : `Show only the first ${FIRST}`}
        </button>
      )}
    </Chart>
  );
}

const BEYOND = 'They aren’t listed here: “keyroster report --format json” has all.';
