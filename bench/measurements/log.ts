import { type Bench, requests, type Section, type Store } from '../bench.ts';
import { compare } from '../compare.ts';
import type { Target } from '../load/load.ts';
import { comparison } from '../markdown.ts';
import { drawCursors } from '../roster/cursors.ts';
import { withService } from '../servers/service.ts';

/** What the line in the log costs that every request gets. */
export function measureLog(bench: Bench, { file, secret }: Store): Promise<Section> {
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
        ...comparison('requests/s', 'with its log', await compare(bench, same)),
        '',
        ...comparison('requests/s', 'with its log', await compare(bench, different)),
      ];
      return { title: 'The log', lines };
    };
  }
}
