/** The suites over all vendors' tables, with as many random cases as over stores of ours. */
process.env.KEYROSTER_TEST_VENDOR_SHARE = '1';

await import('./vendor-tables.test.ts');
