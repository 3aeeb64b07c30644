import type { Target } from '../load/load.ts';
import { compare } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
import type { Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';

/** The cost of the log line that each request writes. */
export function measureLog(bench: Bench, { file, secret }: SqliteStore): Promise<Section> {
  const database = `sqlite:${file}`;
  const cursors = () => drawCursors(bench.keys).map(id => `after_id=${id}`);
  const page = () => [''];
  return withService(database, secret, logging =>
    withService(database, secret, measure(logging), { serve: ['--log-level', 'silent'] }),
  );

  function measure(logging: Target) {
    return async (silent: Target): Promise<Section> => {
      const same = [
        requests(bench, 'the same page again and again', logging, page),
        requests(bench, 'the same, `--log-level silent`', silent, page),
      ];
      const different = [
        requests(bench, 'a different cursor each time', logging, cursors),
        requests(bench, 'the same, `--log-level silent`', silent, cursors),
      ];
      const lines = [
        ...comparison('requests/s', 'the default log level', await compare(bench, same)),
        '',
        ...comparison('requests/s', 'the default log level', await compare(bench, different)),
      ];
      return { title: 'The log', lines };
    };
  }
}
