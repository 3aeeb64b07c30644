import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Run, run } from '../processes/run.ts';
import { quantity, table } from '../results/markdown.ts';
import { atLeast, atMost, type Section } from '../results/section.ts';
import { importFile } from '../roster/import-file.ts';
import { createStore, ORGANIZATION } from '../roster/store.ts';
import type { Bench } from './bench.ts';

const ABOUT = `The bare loop (\`bench/roster/bare-import.ts\`) inserts the same rows into the same schema with \`node:sqlite\`, in one
transaction, and checks nothing. The command checks every field, looks for duplicate lines and refused changes, and compares
each key with what is stored. The file is sorted oldest first, the best case for the bare loop.`;

/** The `import` command against a bare loop, each into an empty store. Then the command on the same file again. */
export async function measureImport({ folder, keys }: Bench, source: string): Promise<Section> {
  const store = join(folder, 'import.db');
  const database = `sqlite:${store}`;
  await createStore(store);
  const bare = await run('bench/roster/bare-import.ts', [source, store, ORGANIZATION]);
  for (const end of ['', '-wal', '-shm']) rmSync(store + end, { force: true });
  await createStore(store);
  const command = await importFile(source, database, { inserted: keys });
  const { size } = statSync(store);
  const again = await importFile(source, database, { unchanged: keys });
  const speed = ({ seconds }: Run) => bare.seconds / seconds;
  const row = (what: string, run: Run) => [
    what,
    run.seconds.toFixed(1),
    quantity(keys / run.seconds),
    speed(run).toFixed(2),
    (run.peakBytes / 1e6).toFixed(0),
  ];
  return {
    about: ABOUT,
    title: `Import of ${keys.toLocaleString('en')} keys`,
    lines: table(
      ['', 'seconds', 'keys/s', 'speed against the bare loop', 'peak memory, MB'],
      [
        row('bare loop', bare),
        row('`keyroster import`', command),
        row('the same file again: nothing changes', again),
      ],
    ),
    goals: [
      atLeast('import against a bare loop', 0.65, { median: speed(command) }),
      atMost('import, peak memory', 300, command.peakBytes / 1e6, ' MB'),
      atMost('import of the same file again, peak memory', 300, again.peakBytes / 1e6, ' MB'),
      atMost('bytes per key on disk', 700, size / keys),
    ],
  };
}
