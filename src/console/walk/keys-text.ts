/** "1 key", "2,500 keys". */
export function keysText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'key' : 'keys'}`;
}
