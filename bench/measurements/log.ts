import type { RequestLog } from '../../src/api/log-levels.ts';
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
  const cursors = () => drawCursors(bench.keys).map(id => `after_id=${id}`);
  const withLines = (which: RequestLog, work: (service: Target) => Promise<Section>) =>
    withService(`sqlite:${file}`, secret, work, { serve: ['--log-requests', which] });
  return withLines('full', full => withLines('sampled', sampled => withLines('off', measure(full, sampled))));

  function measure(full: Target, sampled: Target) {
    return async (off: Target): Promise<Section> => {
      const each = async (title: string, queries: () => string[]) =>
        comparison(
          'requests/s',
          '`--log-requests full`',
          await compare(bench, [
            requests(bench, title, full, queries),
            requests(bench, 'the same, `--log-requests sampled`', sampled, queries),
            requests(bench, 'the same, `--log-requests off`', off, queries),
          ]),
        );
      const lines = [
        ...(await each('the same page again and again', () => [''])),
        '',
        ...(await each('a different cursor each time', cursors)),
      ];
      return { title: 'The log', lines };
    };
  }
}
