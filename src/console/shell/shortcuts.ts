import { useLayoutEffect, useRef } from 'preact/hooks';
import { remember, remembered } from './preferences.ts';

/** Every shortcut of the console, in the order of the list that `?` shows. `key` is as `KeyboardEvent.key` has it. */
export const shortcuts = {
  search: { key: '/', does: 'Go to the filters or the search field' },
  down: { key: 'j', does: 'Next row' },
  up: { key: 'k', does: 'Previous row' },
  next: { key: 'n', does: 'Next page' },
  previous: { key: 'p', does: 'Previous page' },
  help: { key: '?', does: 'Show this list' },
  close: { key: 'Escape', does: 'Close a panel' },
} as const satisfies Record<string, { readonly key: string; readonly does: string }>;

export type ShortcutName = keyof typeof shortcuts;
const names = Object.keys(shortcuts) as readonly ShortcutName[];

type Handlers = { readonly [Name in ShortcutName]?: (() => void) | undefined };

/** What the components on the page do for a shortcut. Of two that do something, the later one does it. */
const registered: { current: Handlers }[] = [];

/** While the component is shown, these shortcuts do this. */
export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useLayoutEffect(() => {
    registered.push(latest);
    return () => registered.splice(registered.indexOf(latest), 1);
  }, []);
}

/** Has the page listen for all shortcuts. Returns what ends it. */
export function listenForShortcuts(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const name = isShortcut(event) && names.find(each => shortcuts[each].key === event.key);
    const handle = name && registered.findLast(({ current }) => current[name])?.current[name];
    if (!handle) return;
    event.preventDefault(); // so that `/` isn't typed into the field that it focuses
    handle();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** What takes typed characters itself. */
const TYPED_INTO =
  'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]:not([contenteditable=false])';

/** Not while someone types, nor under an open dialog, nor with a modifier key, which makes it the browser's own shortcut. */
function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey)
    return false;
  if (event.key.length === 1 && !areLettersOn()) return false;
  if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return false;
  return document.querySelector('dialog:modal') === null;
}

/** Speech input may press letters by mistake, so they can be turned off (WCAG 2.1.4). */
let lettersOn: boolean | undefined;

export function areLettersOn(): boolean {
  lettersOn ??= remembered('shortcuts') !== 'off';
  return lettersOn;
}

export function turnLetters(on: boolean): void {
  lettersOn = on;
  remember('shortcuts', on ? null : 'off');
}
