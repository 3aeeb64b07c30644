import { useState } from 'preact/hooks';
import type { Figures } from '../../report/roster-report.ts';
import { Bars, longest } from './bars.tsx';
import { Chart } from './chart.tsx';
import { hasEarlier, monthsShown } from './months-shown.ts';
import type { RosterCount } from './roster-count.ts';

/** Each is a column of the chart. */
const YEARS = 3;

interface MonthsProps {
  readonly count: RosterCount;
  readonly byMonth: Figures['by_month'];
}

export function Months({ count, byMonth }: MonthsProps) {
  const [shown, setShown] = useState(YEARS);
  const years = monthsShown(byMonth, count.now, shown);
  const isMore = hasEarlier(byMonth, count.now, shown);
  return (
    <Chart title="Created per month" note={`The last ${12 * shown} months, UTC.`} wide>
      <div class="bar-columns">
        {years.map(months => (
          <Bars
            key={months.at(-1)?.label}
            bars={months.map(month => ({
              id: month.label,
              coverage: count.coverageOf(month.shows),
              ...month,
            }))}
            max={longest(years.flat())}
          />
        ))}
      </div>
      {(isMore || shown > YEARS) && (
        <button type="button" class="small" onClick={() => setShown(isMore ? shown + YEARS : YEARS)}>
          {isMore ? `Show ${12 * YEARS} months more` : `Show only the last ${12 * YEARS} months`}
        </button>
      )}
    </Chart>
  );
}
