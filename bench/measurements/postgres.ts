import { pageStatement } from '../../src/postgres/page-sql.ts';
import type { Direction } from '../../src/roster/list-query.ts';
import { atLeast, type Bench, requests, type Section } from '../bench.ts';
import { compare, ratioOf, type Subject } from '../compare.ts';
import { FEW } from '../load/load.ts';
import { Worker } from '../load/worker.ts';
import { comparison } from '../markdown.ts';
import { drawCursors } from '../roster/cursors.ts';
import { ORGANIZATION } from '../roster/store.ts';
import type { PostgresStore } from '../servers/postgres.ts';
import type { Queries } from '../servers/postgres-driver.ts';
import { withService } from '../servers/service.ts';

const ABOUT = `The driver is one connection of \`pg\`, pipelined, that runs the same prepared statement with as many queries under way as
the load has connections (${FEW.connections}), and has no HTTP around it. The load client has to share the cores with PostgreSQL and the service.`;

/** The service over PostgreSQL against the bare driver, which runs the same statement and answers nobody. */
export async function measurePostgres(bench: Bench, { url, secret }: PostgresStore): Promise<Section> {
  const driver = new Worker(new URL('../servers/postgres-driver.ts', import.meta.url), [url]);
  const queries = (what: string, direction: Direction | null, cursors: () => string[]): Subject => ({
    what,
    measure: async () => {
      const { name, text, parameters } = pageStatement([], direction);
      const values = cursors().map(cursor => {
        const known: Record<string, unknown> = { organization: ORGANIZATION, rows: 21, cursor };
        return parameters.map(parameter => known[parameter]);
      });
      const asked: Queries = {
        name,
        text,
        values,
        seconds: bench.seconds,
        underWay: bench.clients.connections,
      };
      return (await driver.ask<{ perSecond: number }>(asked)).perSecond;
    },
  });
  try {
    return await withService(url, secret, async service => {
      const cursors = () => drawCursors(bench.keys);
      const paged = () => cursors().map(id => `after_id=${id}`);
      const same = await compare(bench, [
        queries('the driver, first page', null, () => ['']),
        requests(bench, 'the service, first page', service, () => ['']),
      ]);
      const different = await compare(bench, [
        queries('the driver, a different cursor each time', 'after', cursors),
        requests(bench, 'the service, a different cursor each time', service, paged),
      ]);
      return {
        about: ABOUT,
        title: `PostgreSQL, ${bench.keys.toLocaleString('en')} keys`,
        lines: [
          ...comparison('pages/s', 'the driver', same),
          '',
          ...comparison('pages/s', 'the driver', different),
        ],
        goals: [
          atLeast('PostgreSQL: first page, against the bare driver', 0.6, ratioOf(same, 1)),
          atLeast(
            'PostgreSQL: a different cursor each time, against the bare driver',
            0.6,
            ratioOf(different, 1),
          ),
        ],
      };
    });
  } finally {
    driver.end();
  }
}
