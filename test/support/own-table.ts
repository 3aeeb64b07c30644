import type { PageTable } from '../../src/service/postgres/vendor-table/own-table.ts';

/** Keyroster's own table without declared fields. */
export const OWN_TABLE: PageTable = { isAdopted: false, fields: [] };
