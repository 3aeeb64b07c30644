/**
 * Shows where the time of a request goes: `node bench/profile.ts [KEYS]` runs the service under `node --cpu-prof`, sends it load,
 * and prints the functions with the most self time.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIST_API_KEYS_PATH } from '../src/api/paths.ts';
import { LoadClient, MANY } from './load/load.ts';
import { run } from './processes/run.ts';
import { drawCursors } from './roster/cursors.ts';
import { withService } from './servers/service.ts';

/** Left out of the profile: the start of the process, and code that isn't compiled yet. */
const WARM_UP_SECONDS = 5;
const SECONDS = 10;
const MAX_SHOWN = 25;

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const keys = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'keyroster-profile-'));
const client = new LoadClient();
try {
  const file = join(folder, 'store.db');
  const output = join(folder, 'secret');
  await run('bench/roster/make-store.ts', [file, String(keys)], { output });
  const secret = readFileSync(output, 'utf8');
  const cursors = (parameters = '') => drawCursors(keys).map(id => `${parameters}after_id=${id}`);
  await profile(file, secret, '20 items, the same page again and again', ['']);
  await profile(file, secret, '20 items, a different cursor each time', cursors());
  await profile(file, secret, '1,000 items, a different cursor each time', cursors('limit=1000&'));
} finally {
  client.close();
  rmSync(folder, { recursive: true });
}

async function profile(
  file: string,
  secret: string,
  title: string,
  queries: readonly string[],
): Promise<void> {
  const profiles = join(folder, 'profiles');
  mkdirSync(profiles);
  const paths = queries.map(query => `${LIST_API_KEYS_PATH}?${query}`);
  const node = ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const { perSecond } = await withService(
    `sqlite:${file}`,
    secret,
    async service => {
      await client.send(service, paths, WARM_UP_SECONDS, MANY);
      return client.send(service, paths, SECONDS, MANY);
    },
    { node },
  );
  const [name = ''] = readdirSync(profiles);
  const lines = mostSelfTime(JSON.parse(readFileSync(join(profiles, name), 'utf8')));
  rmSync(profiles, { recursive: true });
  process.stdout.write(
    `${title}: ${perSecond.toFixed(0)} requests/s under the profiler\n\n${lines.join('\n')}\n\n`,
  );
}

/** Of the last seconds of the profile, which are under load. */
function mostSelfTime({ nodes, samples, timeDeltas }: Profile): string[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, frameOf(callFrame)]));
  const all = timeDeltas.reduce((sum, time) => sum + time, 0);
  const selfTimes = new Map<string, number>();
  let elapsed = 0;
  for (const [index, sample] of samples.entries()) {
    const time = timeDeltas[index] ?? 0;
    elapsed += time;
    const frame = frames.get(sample) ?? '';
    if (elapsed > all - SECONDS * 1_000_000 && frame !== '(idle)')
      selfTimes.set(frame, (selfTimes.get(frame) ?? 0) + time);
  }
  const total = [...selfTimes.values()].reduce((sum, time) => sum + time, 0);
  return [...selfTimes]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_SHOWN)
    .map(([frame, time]) => `${((time / total) * 100).toFixed(1).padStart(5)} %  ${frame}`);
}

/** The function's name and place. The path starts at `src/` or at the package's name. */
function frameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/src\//, 'src/');
  return `${functionName || '(anonymous)'}${place && ` ${place}:${lineNumber + 1}`}`;
}
