/** The suites of all stores, over vendors' tables with as many random cases as over ours. */
process.env.KEYROSTER_TEST_VENDOR_SHARE = '1';

await import('./conformance/our-stores.test.ts');
await import('./isolation.test.ts');
await import('./pages-equal-a-model.test.ts');
await import('./walks-under-change.test.ts');
