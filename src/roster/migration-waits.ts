/** Nobody is to wait longer for a migration. */
const MAX_WAIT_SECONDS = 2;

/** How long it takes to read so many rows, as text. */
export function timeFor(rows: number, rowsASecond: number): string {
  if (rows < rowsASecond) return 'less than a second';
  return `about ${Math.ceil(rows / rowsASecond)} s (${rows.toLocaleString('en')} rows)`;
}

/** The same of what others have to wait for. It says so when that is too long. */
export function waitFor(rows: number, rowsASecond: number): string {
  const isTooLong = rows > MAX_WAIT_SECONDS * rowsASecond;
  const advice = `, more than ${MAX_WAIT_SECONDS} s: run it when few would wait`;
  return `${timeFor(rows, rowsASecond)}${isTooLong ? advice : ''}`;
}
