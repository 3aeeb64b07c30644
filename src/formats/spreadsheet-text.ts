/**
 * A spreadsheet runs a cell as a formula if it begins with one of `= + - @`, a tab or a line break, perhaps behind quotes
 * or spaces. Which cells there are depends on the separator that it is set to: with `;` or a tab, text behind one in a
 * name is a cell of its own. So an apostrophe, which makes a cell text, is put in at each such place. A text that has
 * one there already gets another one, so that `exactText` can always take out what was put in.
 */
const unsafe = /^(?=["' ]*[=+\-@\t\r\n])|(?<=[;\t\r\n])(?=["' ]*[=+\-@])/g;
const madeSafe = /^'(?=["' ]*[=+\-@\t\r\n])|(?<=[;\t\r\n])'(?=["' ]*[=+\-@])/g;

export function spreadsheetText(exact: string): string {
  return exact.replace(unsafe, "'");
}

/** What `spreadsheetText` was given. */
export function exactText(safe: string): string {
  return safe.replace(madeSafe, '');
}
