/** Whether the terminal shows more than ASCII, by its locale (POSIX, 8.2): without any it is that of C. Windows has no such variables. */
export function showsUnicode(): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  return process.platform === 'win32' || /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
