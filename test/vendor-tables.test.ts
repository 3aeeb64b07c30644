/** The suites of what is read from a store, over vendors' tables. A vendor's own IDs are in `postgres/adoption/`. */
process.env.KEYROSTER_TEST_VENDOR_SHARE ??= '0.02';

await import('./api/list-api-keys.test.ts');
await import('./conformance/our-stores.test.ts');
await import('./isolation.test.ts');
await import('./pages-equal-a-model.test.ts');
await import('./walks-under-change.test.ts');
