import { useEffect, useRef } from 'preact/hooks';
import { useShortcuts } from '../shell/shortcuts.ts';
import { MAX_TEXT, type Question } from './question.ts';

interface Props {
  /** What the field has when the view is opened again: never a key. */
  readonly asked: string;
  readonly questionOf: (text: string) => Question | null;
  readonly onAsk: (question: Question) => void;
}

/** Typing pauses that long behind the last character of a key. */
const PAUSE_MS = 700;

/**
 * The text is in the field alone: not in the state of a component, nor in an attribute, nor in the address. A full key doesn't come
 * even there by pasting and dropping. What comes by other ways, such as a password manager, is taken out at once; what is typed,
 * as soon as typing pauses. The field has no `name`, so that no form can submit it.
 */
export function FindField({ asked, questionOf, onAsk }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (field.current) field.current.value = asked;
    return () => clearTimeout(timer.current);
  }, []);

  useShortcuts({ search: () => field.current?.focus() });

  /** Asks for the hint instead, if the text has a full key, and empties the field. */
  const tookKey = (text: string): boolean => {
    const question = questionOf(text);
    if (question?.kind !== 'key') return false;
    clear();
    onAsk(question);
    return true;
  };
  const clear = () => {
    clearTimeout(timer.current);
    if (field.current) field.current.value = '';
  };
  const check = () => tookKey(field.current?.value ?? '');

  const paste = (event: ClipboardEvent) => {
    const { value = '', selectionStart, selectionEnd } = field.current ?? {};
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    const text = value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? 0);
    if (tookKey(pasted) || tookKey(text)) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    if (tookKey(event.dataTransfer?.getData('text/plain') ?? '')) event.preventDefault();
  };
  const input = ({ inputType = '', data }: InputEvent) => {
    clearTimeout(timer.current);
    const isTyped = /^(?:insertText|delete)/.test(inputType) && (data ?? '').length <= 1;
    if (isTyped) timer.current = setTimeout(check, PAUSE_MS);
    else check();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const text = field.current?.value ?? '';
    if (tookKey(text)) return;
    const question = questionOf(text);
    if (question) onAsk(question);
  };

  return (
    <form class="find-form" onSubmit={submit}>
      <label class="field">
        Name, ID or hint
        <input
          id="find"
          ref={field}
          autocomplete="off"
          maxLength={MAX_TEXT}
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
          aria-describedby="find-note"
          onPaste={paste}
          onDrop={drop}
          onInput={input}
          onBlur={check}
          onKeyDown={event => event.key === 'Escape' && !event.isComposing && clear()}
        />
      </label>
      <button type="submit" class="primary">
        Find
      </button>
    </form>
  );
}
