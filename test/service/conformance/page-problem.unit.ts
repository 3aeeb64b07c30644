import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentOf, keyMaker, seededPick } from '../../../src/service/conformance/content.ts';
import { modelPage } from '../../../src/service/conformance/model.ts';
import { pageProblem } from '../../../src/service/conformance/page-problem.ts';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import { type Page, pageItem } from '../../../src/service/roster/pages/page.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { everyFilter } from '../../support/every-filter.ts';

const rule = { sizes: [4, 1] };
const content = contentOf(rule, keyMaker(rule, seededPick(1)));
const [own = [], strangers = []] = [...content.values()];

const pageOf = (keys: readonly ApiKey[], hasMore: boolean): Page => ({
  items: keys.map(key => pageItem(JSON.parse(renderApiKey(key)))),
  hasMore,
});

const cursor = fc.record({
  direction: fc.constantFrom('after' as const, 'before' as const),
  id: fc.constantFrom(...[...own, ...strangers].map(({ id }) => id)),
});
const query = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  cursor: fc.option(cursor),
  filter: fc.constantFrom(...everyFilter.slice(0, 12)),
});
const listed = fc.array(fc.constantFrom(...own, ...strangers), { maxLength: 5 });
const anyAnswer = fc.option(fc.record({ listed, hasMore: fc.boolean() }));

test('a page has a problem exactly when it differs from that of the model', () => {
  const organization = 'org_0' as OrganizationId;
  const property = fc.property(query, anyAnswer, (asked, answered) => {
    const model = modelPage(own, asked);
    const right = model && pageOf(model.keys, model.hasMore);
    const answer = answered && pageOf(answered.listed, answered.hasMore);
    const problem = pageProblem(content, { organization, query: asked }, answer);
    assert.equal(problem === null, JSON.stringify(answer) === JSON.stringify(right), String(problem));
    assert.equal(pageProblem(content, { organization, query: asked }, right), null);
  });
  fc.assert(property, { numRuns: 5_000 });
});
