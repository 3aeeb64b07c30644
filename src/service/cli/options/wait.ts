import { Option } from 'commander';
import { durationOf } from '../../../shared/command/options.ts';
import { UsageError } from '../../../shared/command/usage-error.ts';

/** Longer than any import takes. */
const MAX_WAIT_MS = 24 * 3_600_000;

/** For every command that writes. */
export const waitOption = () =>
  new Option('--wait <duration>', 'SQLite: how long to wait while another process writes')
    .env('KEYROSTER_WAIT')
    .default('5s');

/** In milliseconds. */
export function waitOf(text: string): number {
  const ms = Number(durationOf('--wait', text) / 1_000n);
  if (ms > MAX_WAIT_MS) throw new UsageError('--wait: must be at most 24h');
  return ms;
}
