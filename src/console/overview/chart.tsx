import { useEffect, useRef, useState } from 'preact/hooks';
import { goTo, rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import type { Bar } from './tally.ts';

interface ChartProps {
  readonly title: string;
  readonly note?: string;
  readonly bars: readonly Bar[];
  /** Horizontal bars have room for long labels, but only for a few bars. */
  readonly horizontal?: boolean;
}

/** A bar chart, and under it a table for everyone who can't see or click it, with the same numbers and a link for each bar. */
export function Chart({ title, note, bars, horizontal = false }: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useDarkScheme();
  const [missing, setMissing] = useState(false);
  // Draws again for another colour scheme too, since the colours are read when the chart is drawn.
  useEffect(() => {
    let remove: (() => void) | undefined;
    let unmounted = false;
    import('./bar-chart.ts').then(
      ({ drawBarChart }) => {
        if (unmounted || !canvas.current) return;
        const onBar = ({ shows }: Bar) => shows && goTo(rosterAddress(shows));
        remove = drawBarChart(canvas.current, { bars, horizontal, onBar });
      },
      () => setMissing(true),
    );
    return () => {
      unmounted = true;
      remove?.();
    };
  }, [bars, horizontal, dark]);

  return (
    <section class={horizontal ? 'card' : 'card full-width'} aria-label={title}>
      <h2>{title}</h2>
      {note && <p class="muted">{note}</p>}
      {missing && (
        <p role="alert">
          The chart could not be loaded: the network failed, or the service has been updated since this page
          was opened. The numbers are here all the same.
        </p>
      )}
      <div class="chart" hidden={missing}>
        <canvas ref={canvas} role="img" aria-label={`${title}, as bars. The table has the numbers.`} />
      </div>
      <details open={missing}>
        <summary>Numbers</summary>
        <table class="numbers">
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th>Keys</th>
              <th>Count</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, count, shows }) => (
              <tr key={label}>
                <td>{shows ? <Link to={rosterAddress(shows)}>{label}</Link> : label}</td>
                <td>{count.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function useDarkScheme(): boolean {
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const update = () => setDark(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return dark;
}
