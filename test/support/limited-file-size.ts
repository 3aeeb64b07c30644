/** A limit of file sizes, by which any user can make writing fail. */
import { binFor, type Finished, type ProcessOptions, runNode } from './command-line.ts';

/** What `sh` counts the limit in. */
const BLOCKS_IN_MEGABYTE = 2048;

/** Runs `keyroster …` where no file may become larger than this. */
export function keyrosterWithLimit(
  megabytes: number,
  args: readonly string[],
  options: ProcessOptions,
): Promise<Finished> {
  const limited = `ulimit -f ${megabytes * BLOCKS_IN_MEGABYTE}; exec "$0" "$@"`;
  return runNode(['-c', limited, process.execPath, binFor(args), ...args], { ...options, node: 'sh' });
}
