import assert from 'node:assert/strict';
import { constants, type DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { NO_FIELDS } from '../../../../src/service/roster/declared-fields.ts';
import { openFile } from '../../../../src/service/sqlite/connection.ts';
import { joinedPageSql, pageSql } from '../../../../src/service/sqlite/pages/page-sql.ts';
import type { FilterName } from '../../../../src/shared/record/filters.ts';
import { apiKey } from '../../../support/arbitraries.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { writerOf } from '../../../support/opened.ts';
import { describeShape, type PageShape, pageShapes } from '../../../support/page-shapes.ts';
import { importKeys } from '../../../support/roster.ts';
import { atEndOf, suiteScope } from '../../../support/scope.ts';
import { storeAt } from '../../../support/store-at.ts';

const columns: Readonly<Record<FilterName, string>> = {
  status: 'status',
  workspaceId: 'workspace',
  creatorId: 'creator',
};

const sqliteShape = ({ filters, direction, created = [] }: PageShape) => {
  const isBackward = direction === 'before';
  return {
    filters,
    isBackward,
    hasStart: direction !== null || created.includes('before'),
    hasEnd: created.includes(isBackward ? 'before' : 'from'),
  };
};

describe('the query plan of a page', () => {
  const scope = suiteScope();
  let database: DatabaseSync;
  before(async () => {
    const { organization, file, url } = await embeddedStore(scope);
    const writer = await writerOf(scope, storeAt(url));
    const keys = fc.uniqueArray(apiKey(), { selector: key => key.id, minLength: 100, maxLength: 100 });
    await importKeys(writer, organization, fc.sample(keys, 1).flat());
    database = openFile(file, { readOnly: false });
    atEndOf(scope, () => database.close());
  });

  for (const statistics of ['without statistics', 'with statistics']) {
    for (const shape of pageShapes) {
      test(`uses only index ranges that cover every filter, ${statistics}: ${describeShape(shape)}`, () => {
        if (statistics === 'with statistics') database.exec('ANALYZE');
        const ranges = planOf(shape);
        assert.ok(ranges.length > 0);
        for (const range of ranges) {
          assert.match(range, /^SEARCH api_keys USING (INDEX|PRIMARY KEY)/);
          assert.match(range, /organization=\?/);
          for (const name of shape.filters) assert.match(range, new RegExp(`\\b${columns[name]}=\\?`));
          const { isBackward, hasStart, hasEnd } = sqliteShape(shape);
          assert.equal(range.includes(`(created_at,id)${isBackward ? '>' : '<'}(?,?)`), hasStart, range);
          assert.equal(range.includes(`created_at${isBackward ? '<' : '>'}?`), hasEnd, range);
        }
      });
    }
  }

  test("is made once: running the statement again, even with another limit, doesn't plan it again", () => {
    const statements = pageShapes.map(shape => {
      const { sql, parameters } = joinedPageSql(sqliteShape(shape), NO_FIELDS);
      const statement = database.prepare(sql);
      return (limit: number) => statement.all(...parameters.map(name => (name === 'rows' ? limit : 1)));
    });
    let planned = 0;
    database.setAuthorizer(() => {
      planned += 1; // SQLite calls the authorizer while it plans a statement
      return constants.SQLITE_OK;
    });
    try {
      for (const run of statements) run(21); // setting an authorizer invalidates all plans
      assert.ok(planned > 0);
      planned = 0;
      for (const limit of [21, 1001]) for (const run of statements) run(limit);
      assert.equal(planned, 0);
    } finally {
      database.setAuthorizer(null);
    }
  });

  /** Returns the steps that read the table. Fails if a step sorts. */
  function planOf(shape: PageShape): string[] {
    const { sql, parameters } = pageSql(sqliteShape(shape));
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters.map(() => 1));
    const details = steps.map(step => String(step.detail));
    for (const detail of details) assert.doesNotMatch(detail, /TEMP B-TREE/);
    return details.filter(detail => detail.includes('api_keys'));
  }
});
