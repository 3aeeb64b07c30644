/**
 * The suites of what is read from a store, over a vendor's table; the soak has all of them. In `postgres/adoption/` each has its own
 * IDs.
 */
process.env.KEYROSTER_TEST_VENDOR_SHARE ??= '0.05';

await import('./api/list-api-keys.test.ts');
await import('./conformance/our-stores.test.ts');
await import('./isolation.test.ts');
await import('./pages-equal-a-model.test.ts');
await import('./walks-under-change.test.ts');
