/** The suites over all vendors' tables, with five times as many random cases as `npm test` runs over stores of ours. */
process.env.KEYROSTER_TEST_VENDOR_SHARE = '1';
process.env.KEYROSTER_TEST_TIMES = '5';

await import('./vendor-tables.test.ts');
