import { StoreUnavailable } from '../roster/errors.ts';

/** Pages of a command have the service's limit: one over which `serve` would fail isn't listed by a command either. */
export function explainTimeout(error: unknown): never {
  const { cause } = error as { cause?: { code?: unknown } };
  if (error instanceof StoreUnavailable && cause?.code === QUERY_CANCELED)
    throw new StoreUnavailable(SLOW_PAGE, { cause });
  throw error;
}

/** SQLSTATE of a statement that `statement_timeout` ended. */
const QUERY_CANCELED = '57014';
const SLOW_PAGE =
  'PostgreSQL: a page took longer than the 5 s that it may take: "keyroster check" tells whether an index is missing; ' +
  'else run it again when PostgreSQL has less to do, or when what locks the table has ended';
