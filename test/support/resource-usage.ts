/** Resource usage of a running service, from /proc (Linux) and its metrics. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ResourceUsage {
  /** Minutes since the first sample. */
  readonly minute: number;
  readonly residentMb: number;
  readonly descriptors: number;
  /** The event loop's p99 delay since the previous sample. */
  readonly delayMs: number;
}

export async function resourceUsage(pid: number, metricsUrl: string, minute: number): Promise<ResourceUsage> {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const metrics = await (await fetch(metricsUrl)).text();
  const [, delay] = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics) ?? [];
  return {
    minute,
    residentMb: Number(kilobytes) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    delayMs: Number(delay) * 1000,
  };
}

/** The medians of the samples in this many intervals of equal length. */
export function mediansByInterval(samples: readonly ResourceUsage[], count: number): ResourceUsage[] {
  return Array.from({ length: count }, (_, number) => {
    const part = samples.slice((number * samples.length) / count, ((number + 1) * samples.length) / count);
    return {
      minute: part[0]?.minute ?? NaN,
      residentMb: median(part.map(each => each.residentMb)),
      descriptors: median(part.map(each => each.descriptors)),
      delayMs: median(part.map(each => each.delayMs)),
    };
  });
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? NaN;
}

/** Theil–Sen slope: the median of the slopes between all pairs of points, which a few outliers don't change. */
export function slope(figures: readonly number[]): number {
  const all = figures.flatMap((figure, at) =>
    figures.slice(at + 1).map((later, distance) => (later - figure) / (distance + 1)),
  );
  return median(all);
}

export function asTable(samples: readonly ResourceUsage[]): string {
  const rows = samples.map(
    ({ minute, residentMb, descriptors, delayMs }) =>
      `| ${minute.toFixed(1)} | ${residentMb.toFixed(0)} | ${descriptors} | ${delayMs.toFixed(1)} |`,
  );
  const head = [
    '| from minute | resident memory, MB | file descriptors | event-loop delay, p99, ms |',
    '| ---: | ---: | ---: | ---: |',
  ];
  return [...head, ...rows].join('\n');
}
