/**
 * The suites of what is read from a store, over a vendor's table; the soak has all four tables. Suites of what is written don't apply,
 * as Keyroster only reads there. IDs and times that a table can't have become others (`native-values.ts`): in `postgres/adoption/`
 * each table has its own.
 */
process.env.KEYROSTER_TEST_VENDOR_SHARE ??= '0.15';

await import('./api/list-api-keys.test.ts');
await import('./conformance/our-stores.test.ts');
await import('./isolation.test.ts');
await import('./pages-equal-a-model.test.ts');
await import('./walks-under-change.test.ts');
