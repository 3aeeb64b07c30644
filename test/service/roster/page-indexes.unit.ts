import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { filterCombinations, indexFindings } from '../../../src/service/roster/page-indexes.ts';

describe('what is wrong with the indexes of pages', () => {
  const fix = 'make it';
  const combinations = filterCombinations(['status', 'creatorId']);

  test('is said once for each index, with the pages that need it in the words of the API', () => {
    const wrong = [null, 'status', 'status,creatorId'];
    const findings = indexFindings(combinations, filters => {
      const name = String(filters);
      return { name, problem: wrong.includes(filters && name) ? "doesn't have it" : null, fix };
    });
    const lacking = [
      'pages filtered by status lack their index',
      'pages filtered by status and created_by_user_id lack their index',
      'pages with after_id or before_id lack the index that finds the cursor',
    ];
    assert.deepEqual(
      findings,
      lacking.map(each => ({ about: 'indexes', problem: `${each}: the database doesn't have it`, fix })),
    );
  });

  test('is said once where pages with different filters share an index', () => {
    const [finding, ...others] = indexFindings(combinations, filters => ({
      name: 'one',
      problem: filters ? 'has another one of that name' : null,
      fix,
    }));
    assert.equal(others.length, 0);
    assert.match(String(finding?.problem), /^pages without a filter or filtered by .* lack their index/);
  });
});
