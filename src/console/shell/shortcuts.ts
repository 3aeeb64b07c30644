import { useLayoutEffect, useRef } from 'preact/hooks';
import { type View, views } from './address.ts';
import { remember, remembered } from './preferences.ts';
import { viewWords } from './view-words.ts';

interface Shortcut {
  /** Pressed one after the other. As `KeyboardEvent.key` has them. */
  readonly keys: readonly string[];
  readonly does: string;
}

const actions = {
  search: { keys: ['/'], does: 'Go to the filters or the search field' },
  down: { keys: ['j'], does: 'Next row' },
  up: { keys: ['k'], does: 'Previous row' },
  next: { keys: ['n'], does: 'Next page' },
  previous: { keys: ['p'], does: 'Previous page' },
  help: { keys: ['?'], does: 'Show this list' },
  close: { keys: ['Escape'], does: 'Close a panel' },
} as const satisfies Record<string, Shortcut>;

/** The name of a view stands for going there. */
export type ShortcutName = View | keyof typeof actions;

const goToViews = Object.fromEntries(
  views.map(view => [view, { keys: ['g', viewWords[view].key], does: `Go to ${viewWords[view].title}` }]),
) as unknown as Readonly<Record<View, Shortcut>>;

/** Every shortcut of the console, in the order of the list that `?` shows. */
export const shortcuts: Readonly<Record<ShortcutName, Shortcut>> = { ...goToViews, ...actions };
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

/** A shortcut of two keys has to be finished within this time. */
const SEQUENCE_MS = 1_500;

/** Has the page listen for all shortcuts. Returns what ends it. */
export function listenForShortcuts(): () => void {
  let before: { key: string; at: number } | null = null;
  const onKey = (event: KeyboardEvent) => {
    if (!isShortcut(event)) return;
    const started = before && event.timeStamp - before.at < SEQUENCE_MS ? [before.key] : [];
    const pressed = [...started, event.key];
    const name = nameOf(pressed) ?? nameOf([event.key]);
    before = name ? null : { key: event.key, at: event.timeStamp };
    const handle = name && registered.findLast(({ current }) => current[name])?.current[name];
    if (!handle) return;
    event.preventDefault(); // so that `/` isn't typed into the field that it focuses
    handle();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function nameOf(pressed: readonly string[]): ShortcutName | undefined {
  return names.find(name => shortcuts[name].keys.join(' ') === pressed.join(' '));
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
