/** The only module that imports the charting library, of which it takes only the parts for bars. */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  LinearScale,
  Tooltip,
} from 'chart.js';
import type { Bar } from './tally.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

export interface BarChartOptions {
  readonly bars: readonly Bar[];
  /** Horizontal bars have room for long labels. */
  readonly horizontal: boolean;
  onBar(bar: Bar): void;
}

/** Returns a function that removes the chart. */
export function drawBarChart(canvas: HTMLCanvasElement, options: BarChartOptions): () => void {
  const chart = new Chart(canvas, configuration(canvas, options));
  return () => chart.destroy();
}

function configuration(
  canvas: HTMLCanvasElement,
  { bars, horizontal, onBar }: BarChartOptions,
): ChartConfiguration<'bar'> {
  const style = getComputedStyle(canvas);
  const [bar, text, line] = ['--bar', '--muted', '--line'].map(name => style.getPropertyValue(name));
  const size = Number.parseFloat(style.fontSize);
  const font = { family: style.fontFamily, size };
  const categoryAxis = {
    grid: { display: false },
    ticks: { color: text, font, callback: labelAt },
    border: { color: line },
  };
  const valueAxis = {
    beginAtZero: true,
    grid: { color: line },
    ticks: { color: text, font, precision: 0 },
    border: { display: false },
  };
  function labelAt(_: unknown, index: number) {
    const label = bars[index]?.label ?? '';
    return label.length > 20 ? `${label.slice(0, 12)}…${label.slice(-6)}` : label;
  }
  return {
    type: 'bar',
    data: {
      labels: bars.map(({ label }) => label),
      datasets: [
        {
          data: bars.map(({ count }) => count),
          backgroundColor: bar,
          borderRadius: 4,
          maxBarThickness: 3 * size,
        },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      indexAxis: horizontal ? 'y' : 'x',
      scales: horizontal ? { y: categoryAxis, x: valueAxis } : { x: categoryAxis, y: valueAxis },
      onClick: (_, [hit]) => {
        const clicked = hit && bars[hit.index];
        if (clicked?.shows) onBar(clicked);
      },
      onHover: (_, [hit]) => {
        canvas.style.cursor = hit && bars[hit.index]?.shows ? 'pointer' : '';
      },
    },
  };
}
