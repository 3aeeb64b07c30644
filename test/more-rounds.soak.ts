/**
 * Tests with random input once more, each with 40 times as many cases as in `npm test`, axe in every look and width,
 * pages of 1,000 keys in the console, and every server of the examples.
 */
import fc from 'fast-check';
import { SOAK_SEED } from './support/rounds.ts';

process.env.KEYROSTER_TEST_TIMES = '40';
fc.configureGlobal({ seed: SOAK_SEED });

await import('./service/api/generated-query-strings.unit.ts');
await import('./operator/feed/killed-feed.test.ts');
await import('./console/accessibility.test.ts');
await import('./console/roster/pages.test.ts');
await import('./admin/find/shown-of-key.unit.ts');
await import('./examples/servers.test.ts');
await import('./isolation.test.ts');
await import('./pages-equal-a-model.test.ts');
await import('./service/postgres/check/vendor-table.test.ts');
await import('./service/postgres/rendered-record.test.ts');
await import('./service/postgres/revert-beside-writes.test.ts');
await import('./service/sqlite/killed.test.ts');
await import('./service/stores/declared-fields.test.ts');
await import('./service/stores/feed-api-keys.test.ts');
await import('./service/stores/import-api-keys.test.ts');
await import('./service/stores/names-of-declared-fields.test.ts');
await import('./walks-under-change.test.ts');
await import('./service/writer/idempotence.test.ts');
await import('./service/writer/own-transaction.test.ts');
