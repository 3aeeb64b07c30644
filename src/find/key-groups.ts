import { labelOf } from './known.ts';

/** Whether the text is a key in groups of the same length, such as `ABCD-EFGH-1234-5678`, and none of words or numbers. */
export function isInGroups(text: string): boolean {
  const groups = text.split('-');
  const [first = '', ...others] = groups;
  const last = others.pop() ?? '';
  const { length } = first;
  return (
    groups.length >= MIN_GROUPS &&
    length >= 4 &&
    length <= 8 &&
    others.every(group => group.length === length) &&
    last.length <= length &&
    groups.every(group => /^[A-Za-z0-9]+$/.test(group)) &&
    (/\d[A-Za-z]/.test(groups.slice(0, -1).join('-')) ||
      (/[A-Z]/.test(text) && /\d/.test(text) && !/[a-z]/.test(text)))
  );
}

const MIN_GROUPS = 4;

/** The keys that stand in a line in groups with blanks between them, put together. */
export function keysOfGroups(text: string, isKey: (joined: string) => boolean): string[] {
  return text.split(/[\r\n:="']+/).flatMap(line => {
    const groups = line.trim().split(/\s+/);
    const joined = groups.join('');
    if (groups.length < 2) return [];
    const [first = '', ...others] = groups;
    const body = [first.slice(labelOf(first).length), ...others].join('-');
    return isInGroups(body) || (isLabelledKey(groups) && isKey(joined)) ? [joined] : [];
  });
}

/** Whether a label stands before the first group, and each has letters and digits. */
function isLabelledKey([first = '', ...others]: readonly string[]): boolean {
  const label = labelOf(first);
  const groups = [first.slice(label.length), ...others];
  return (
    label !== '' && groups.every(group => /^\w+$/.test(group) && /\d/.test(group) && /[A-Za-z]/.test(group))
  );
}
