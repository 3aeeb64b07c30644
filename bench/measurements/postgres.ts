import { pageStatement } from '../../src/service/postgres/pages/page-sql.ts';
import type { Direction } from '../../src/shared/record/list-query.ts';
import { FEW } from '../load/load.ts';
import { Worker } from '../processes/worker.ts';
import { compare, ratioOf, type Subject } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
import { atLeast, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import { ORGANIZATION } from '../roster/store.ts';
import type { Queries } from '../servers/bare-driver-process.ts';
import type { PostgresStore } from '../servers/postgres.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';

const ABOUT = `The bare driver is one pipelined connection of \`pg\`, without HTTP. It runs the same prepared statement with as many queries in
flight as the load has connections (${FEW.connections}). The load client shares the cores with PostgreSQL and the service.`;

/** The service over PostgreSQL against the bare driver with the same statement. */
export async function measurePostgres(bench: Bench, { url, secret }: PostgresStore): Promise<Section> {
  const driver = new Worker(new URL('../servers/bare-driver-process.ts', import.meta.url), [url]);
  const queries = (label: string, direction: Direction | null, cursors: () => string[]): Subject => ({
    label,
    measure: async () => {
      const { name, text, parameters } = pageStatement({ filters: [], direction });
      const values = cursors().map(cursor => {
        const known: Record<string, unknown> = { organization: ORGANIZATION, rows: 21, cursor };
        return parameters.map(parameter => known[parameter]);
      });
      const request: Queries = {
        name,
        text,
        values,
        seconds: bench.seconds,
        concurrency: bench.clients.connections,
      };
      return (await driver.request<{ perSecond: number }>(request)).perSecond;
    },
  });
  try {
    return await withService(url, secret, async service => {
      const cursors = () => drawCursors(bench.keys);
      const queryStrings = () => cursors().map(id => `after_id=${id}`);
      const same = await compare(bench, [
        queries('the bare driver, first page', null, () => ['']),
        requests(bench, 'the service, first page', service, () => ['']),
      ]);
      const different = await compare(bench, [
        queries('the bare driver, a different cursor each time', 'after', cursors),
        requests(bench, 'the service, a different cursor each time', service, queryStrings),
      ]);
      return {
        about: ABOUT,
        title: `PostgreSQL, ${bench.keys.toLocaleString('en')} keys`,
        lines: [
          ...comparison('pages/s', 'the bare driver', same),
          '',
          ...comparison('pages/s', 'the bare driver', different),
        ],
        goals: [
          atLeast('PostgreSQL, the first page', 0.6, ratioOf(same, 1)),
          atLeast('PostgreSQL, a different cursor each time', 0.6, ratioOf(different, 1)),
        ],
      };
    });
  } finally {
    driver.end();
  }
}
