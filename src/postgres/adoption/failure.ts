import { DatabaseError } from 'pg';

/**
 * Classes of SQLSTATE whose messages are of the server, of names and of rights, and never of a value: connections (08), unsupported
 * (0A), read-only (25), logins (28), dependents (2B), catalogues and schemas (3D, 3F), serialization (40), names and rights (42),
 * resources (53), limits (54), locks (55), an operator (57) and the system (58).
 */
const WITHOUT_VALUES = /^(08|0A|25|28|2B|3D|3F|40|42|53|54|55|57|58)/;

/** Those of them that no row can be the cause of. */
const OF_THE_SERVER = /^(03|08|0A|25|26|28|40|53|54|55|57|58|XX)|^42501$/;

/** The message of a failed statement that changes a database, or its SQLSTATE where the message may have a value of a row. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof DatabaseError)) return (error as Error).message;
  const { code = '', where, message } = error;
  // With a context it is from within a function of the vendor's.
  const isHarmless = WITHOUT_VALUES.test(code) && where === undefined;
  return isHarmless ? message : `an expression of the mapping, or a function, fails on a row (${code})`;
}

/** Whether a statement that only reads a view failed on a row of the vendor's. PostgreSQL's message would have the value. */
export function isOfRow(error: unknown): boolean {
  return error instanceof DatabaseError && !OF_THE_SERVER.test(error.code ?? '');
}
