const format = new Intl.NumberFormat('en'); // a call of toLocaleString makes one

/** "2,500". */
export function numberText(value: number): string {
  return format.format(value);
}

/** "1 key", "2,500 keys". */
export function keysText(count: number): string {
  return `${numberText(count)} ${count === 1 ? 'key' : 'keys'}`;
}
