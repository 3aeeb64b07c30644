import type { Statements } from '../statements.ts';

/** An admin key's expiry is by the clock of the service, and the times in the store are of PostgreSQL's: seconds make no difference. */
const MAX_OFFSET_MS = 10_000;

export interface ClockProblem {
  readonly problem: string;
  readonly fix: string;
}

/** `null` where both clocks agree, as far as an answer's time on its way lets one tell. */
export async function clockProblem(client: Statements): Promise<ClockProblem | null> {
  const asked = Date.now();
  const { rows } = await client.query(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS now',
  );
  const theirs = Number(rows[0]?.now);
  const offset = Math.max(asked - theirs, theirs - Date.now());
  if (offset <= MAX_OFFSET_MS) return null;
  return {
    problem: `the clocks of this machine and of PostgreSQL differ by ${Math.round(offset / 1000)} s, so admin keys expire at a wrong time`,
    fix: 'set both by a time server (NTP)',
  };
}
