import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { table } from '../results/markdown.ts';
import { atLeast, type Section } from '../results/section.ts';
import { median, spread } from '../results/statistics.ts';
import type { SqliteStore } from '../roster/store.ts';
import type { Bench } from './bench.ts';
import type { LinkWalk } from './slow-link-process.ts';

/** A roster of a million takes ten times as long. */
const MAX_KEYS = 100_000;

const PROCESS = fileURLToPath(new URL('./slow-link-process.ts', import.meta.url));
/** Runs a command in a network of its own, whose loopback is a link of 100 Mbit/s with packets as on Ethernet. */
const ON_LINK = [
  'ip link set lo up mtu 1500',
  'tc qdisc add dev lo root tbf rate 100mbit burst 64kb latency 200ms',
  'exec "$@"',
].join(' && ');

/** A walk by our client over a slow link, compressed and not. Where no such link can be made, it says so. */
export async function measureSlowLink(
  { keys }: Bench,
  { file, secret }: SqliteStore,
): Promise<Pick<Section, 'lines'> & Required<Pick<Section, 'goals'>>> {
  const walked = Math.min(keys, MAX_KEYS);
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const command = [process.execPath, PROCESS, file, secret, String(walked)];
  try {
    const { stdout } = await promisify(execFile)('unshare', [
      ...asRoot,
      '--net',
      'sh',
      '-c',
      ON_LINK,
      'sh',
      ...command,
    ]);
    return resultsOf(JSON.parse(stdout) as LinkWalk[], walked);
  } catch (error) {
    process.stderr.write(`the walk over a slow link was NOT measured: ${(error as Error).message}\n`);
    const reason = 'it needs Linux, `unshare` and `tc`, and the right to make a network namespace';
    return { lines: [`The walk over a slow link was not measured in this run: ${reason}.`], goals: [] };
  }
}

function resultsOf(walks: readonly LinkWalk[], walked: number) {
  const secondsOf = (coding: string, milliseconds: number) =>
    walks.filter(walk => walk.coding === coding && walk.roundTrip === milliseconds).map(walk => walk.seconds);
  const ratioAt = (milliseconds: number) => {
    const compressed = secondsOf('zstd', milliseconds);
    return spread(secondsOf('identity', milliseconds).map((each, round) => each / (compressed[round] ?? 0)));
  };
  const roundTrips = [...new Set(walks.map(walk => walk.roundTrip))];
  const rows = roundTrips.map(milliseconds => [
    milliseconds === 0 ? '100 Mbit/s' : `100 Mbit/s, round trip of ${milliseconds} ms`,
    median(secondsOf('identity', milliseconds)).toFixed(2),
    median(secondsOf('zstd', milliseconds)).toFixed(2),
    ratioAt(milliseconds).median.toFixed(2),
  ]);
  const what = `walk of ${walked.toLocaleString('en')} keys by the client`;
  return {
    lines: table([`${what}, seconds`, 'not compressed', 'zstd', 'times as fast'], rows),
    goals: [atLeast(`${what} over 100 Mbit/s, times as fast compressed`, 3, ratioAt(0))],
  };
}
