/**
 * Tests with random input once more, each with 40 times as many cases as in `npm test`, axe in every look and width, and
 * pages of 1,000 keys in the console.
 */
import fc from 'fast-check';
import { SOAK_SEED } from './support/soak.ts';

process.env.KEYROSTER_TEST_TIMES = '40';
fc.configureGlobal({ seed: SOAK_SEED });

await import('./api/generated-query-strings.test.ts');
await import('./cli/feed/killed-feed.test.ts');
await import('./console/accessibility.test.ts');
await import('./console/roster/pages.test.ts');
await import('./find/shown-of-key.test.ts');
await import('./isolation-of-files.test.ts');
await import('./isolation.test.ts');
await import('./library/callers.test.ts');
await import('./pages-equal-a-model.test.ts');
await import('./postgres/adoption/vendors-rows.test.ts');
await import('./postgres/check/vendor-table.test.ts');
await import('./postgres/interleaving.test.ts');
await import('./postgres/rendered-record.test.ts');
await import('./postgres/revert-beside-writes.test.ts');
await import('./sqlite/killed.test.ts');
await import('./stores/declared-fields.test.ts');
await import('./stores/feed-api-keys.test.ts');
await import('./stores/import-options.test.ts');
await import('./stores/names-of-declared-fields.test.ts');
await import('./walks-under-change.test.ts');
await import('./writer/idempotence.test.ts');
await import('./writer/own-transaction.test.ts');
