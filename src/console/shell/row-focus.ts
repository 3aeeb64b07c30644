/**
 * For `j` and `k`. The main link or button of each row has the attribute `data-row`. Without a focused row it begins with the
 * first one.
 */
export function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const within = document.activeElement?.closest('tr, li');
  const at = rows.findIndex(row => within?.contains(row));
  rows[at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
}
