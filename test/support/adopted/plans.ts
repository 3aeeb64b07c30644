import type { Client } from 'pg';
import { pageStatement } from '../../../src/service/postgres/page-sql.ts';
import { READER_SETTINGS } from '../../../src/service/postgres/serving/reads.ts';
import { describeShape, pageShapes, SHAPE_VALUES } from '../page-shapes.ts';

/** The plan of each shape of a page over the view, as the service reads it: planned for these values, and for any. */
export async function* plansOfPages(
  client: Client,
  values: Readonly<Record<'organization' | 'cursor' | 'status' | 'workspaceId' | 'creatorId', string>>,
): AsyncGenerator<{ readonly what: string; readonly plan: string; readonly filters: readonly string[] }> {
  await client.query(READER_SETTINGS);
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`SET plan_cache_mode = ${mode}`);
    for (const shape of pageShapes) {
      const { text, parameters } = pageStatement(shape);
      const literals = parameters.map(name => `'${{ ...SHAPE_VALUES, ...values }[name]}'`);
      await client.query(`PREPARE page AS ${text}`);
      const { rows } = await client.query(`EXPLAIN EXECUTE page(${literals})`);
      await client.query('DEALLOCATE page');
      const plan = rows.map(row => row['QUERY PLAN']).join('\n');
      yield { what: `${describeShape(shape)}, ${mode}`, plan, filters: shape.filters };
    }
  }
}
